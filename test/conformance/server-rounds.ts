import {
  type Arguments,
  ask,
  askModel,
  askName,
  text,
  type Tools,
} from "./server-tool.js";

const confirm = ask("Please confirm.", "ok", "boolean");

/**
 * Tools whose requests to the client are embedded in results, one round after
 * the other.
 */
export const rounds: Tools = {
  test_input_required_result_elicitation: {
    description: "Asks for a name.",
    call: async (_, { request }) => {
      const { content } = await request("elicitation/create", askName, {
        key: "user_name",
      });
      return text(`Hello, ${String(content?.["name"])}!`);
    },
  },
  test_input_required_result_sampling: {
    description: "Asks a model.",
    call: async (_, { request }) => {
      const { content } = await request(
        "sampling/createMessage",
        askModel("Capital of France?"),
      );
      return text(JSON.stringify(content));
    },
  },
  test_input_required_result_list_roots: {
    description: "Asks for roots.",
    call: async (_, { request }) =>
      text(JSON.stringify(await request("roots/list"))),
  },
  test_input_required_result_request_state: {
    description: "Asks for a word, with a state.",
    call: async (_, { request }) => {
      const { action } = await request("elicitation/create", confirm, {
        key: "confirm",
      });
      return text(`state-ok: ${action}`);
    },
  },
  test_input_required_result_tampered_state: {
    description: "Asks for a word, with a state that nobody may change.",
    call: async (_, { request }) => {
      const { action } = await request("elicitation/create", confirm, {
        key: "confirm",
      });
      return text(action);
    },
  },
  test_input_required_result_multiple_inputs: {
    description: "Asks for three things at once.",
    call: async (_, { request }) => {
      const answers = await Promise.all([
        request("elicitation/create", askName, { key: "user_name" }),
        request("sampling/createMessage", askModel("Greet."), {
          key: "greeting",
        }),
        request("roots/list", undefined, { key: "client_roots" }),
      ]);
      return text(JSON.stringify(answers));
    },
  },
  test_input_required_result_multi_round: {
    description: "Asks for one thing after the other.",
    call: async (_, { request }) => {
      const first = await request("elicitation/create", askName, {
        key: "step1",
      });
      const color = ask("What is your favorite color?", "color", "string");
      const second = await request("elicitation/create", color, {
        key: "step2",
      });
      return text(JSON.stringify([first, second]));
    },
  },
  test_input_required_result_capabilities: {
    description: "Asks only for what the client can do.",
    call: async (_, { request, client }) => {
      const { sampling, elicitation }: Arguments = { ...client.capabilities };
      const [model, user] = await Promise.all([
        sampling &&
          request("sampling/createMessage", askModel("Greet."), {
            key: "greeting",
          }),
        elicitation &&
          request("elicitation/create", askName, { key: "user_name" }),
      ]);
      return text(JSON.stringify({ model, user }));
    },
  },
};
