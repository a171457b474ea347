import type { AnySchemaObject, ValidateFunction } from "ajv";
import type { Message, Protocol } from "../../../../src/generator/ir/model.js";
import { officialAjv } from "../../../oracle/ajv.js";
import type { Json } from "../../kit/index.js";

/** Requests by their ids, for which the receiver expects responses. */
export type OpenRequests = ReadonlyMap<
  unknown,
  { readonly method: string; readonly params?: unknown }
>;

/**
 * Validates messages by the official schema of a revision, without its known
 * defects.
 */
export interface Judge {
  /**
   * The faults of one message; `asked` contains the requests that its sender
   * may answer.
   */
  faultsOf(
    message: unknown,
    from: "client" | "server",
    requests: OpenRequests,
  ): string[];
  /** The faults of a value of a named type. */
  check(type: string, value: unknown): string[];
}

/**
 * Makes the judge of one revision. It uses Ajv and the official schema, and no
 * generated code.
 */
export function judgeOf(protocol: Protocol): Judge {
  const { definitions, refer, compile, errorsText } = officialAjv(
    protocol.revision,
  );
  const compiled = new Map<string, ValidateFunction>();
  const check = (type: string, value: unknown): string[] => {
    let validate = compiled.get(type);
    if (!validate) compiled.set(type, (validate = compile(refer(type))));
    return validate(value)
      ? []
      : [`no ${type}: ${errorsText(validate.errors)}`];
  };
  const oneOf = (...names: string[]): string =>
    names.find((name) => name in definitions) ?? String(names);
  const answer = oneOf("JSONRPCResultResponse", "JSONRPCResponse");
  const failure = oneOf("JSONRPCErrorResponse", "JSONRPCError");
  const errors = errorsByCode(definitions);
  const find = (
    method: unknown,
    from: string,
    kind: string,
  ): Message | undefined =>
    protocol.messages.find(
      (one) =>
        one.method === method &&
        one.kind === kind &&
        (one.sender === from || one.sender === "either"),
    );

  const requestFaults = (message: Json, from: string): string[] => {
    const kind = "id" in message ? "request" : "notification";
    const definition = find(message["method"], from, kind);
    if (!definition) return [`no ${kind} of a ${from}`];
    if (definition.kind === "request" && definition.carriage === "embedded")
      return ["stands on the wire"];
    const type = kind === "request" ? "JSONRPCRequest" : "JSONRPCNotification";
    return [...check(type, message), ...check(definition.name, message)];
  };
  const answerFaults = (
    message: Json,
    from: string,
    requests: OpenRequests,
  ): string[] => {
    const request = requests.get(message["id"]);
    if (!request) return ["answers nothing"];
    if ("error" in message) {
      const type = errors.get((message["error"] as Json)["code"]);
      return [
        ...check(failure, message),
        ...(type ? check(type, message) : []),
      ];
    }
    const definition = find(
      request.method,
      from === "server" ? "client" : "server",
      "request",
    );
    if (definition?.kind !== "request")
      return ["answers what the revision lacks"];
    const result = message["result"] as Json;
    const [usual = "", ...others] = definition.results;
    const isTask =
      others.includes("CreateTaskResult") &&
      (request.params as Json | undefined)?.["task"] !== undefined;
    const faults =
      others.includes("InputRequiredResult") &&
      result["resultType"] === "input_required"
        ? check("InputRequiredResult", result)
        : check(usual, result);
    return [
      ...check(answer, message),
      ...(isTask && check("CreateTaskResult", result).length === 0
        ? []
        : faults),
    ];
  };
  return {
    check,
    faultsOf: (message, from, requests) => {
      if (
        typeof message !== "object" ||
        message === null ||
        Array.isArray(message)
      )
        return ["no object"];
      return "method" in message
        ? requestFaults(message as Json, from)
        : answerFaults(message as Json, from, requests);
    },
  };
}

/** The types of error answers that the schema ties to one code. */
function errorsByCode(
  definitions: Readonly<Record<string, AnySchemaObject>>,
): ReadonlyMap<unknown, string> {
  return new Map(
    Object.entries(definitions).flatMap(([name, { properties }]) => {
      const parts = (properties?.error?.allOf ?? []) as AnySchemaObject[];
      const code: unknown = parts
        .map((part) => part["properties"]?.code?.const)
        .find(Number.isInteger);
      return code === undefined ? [] : [[code, name] as const];
    }),
  );
}
