// The program of the page "Playground": a text and a provider in, the outputs
// of the worker out. It shows text as text, never as HTML.
import { providers } from "../../../src/commands/lint/providers.ts";
import style from "./page.css?inline";

const maxBytes = 1_000_000;
/** An answer that takes longer ends with the worker. */
const maxSeconds = 20;

/** The buttons, each with the output that it shows. */
const buttons = [
  ["Types", "types.ts"],
  ["Guards", "validators.ts"],
  ["Call", "client.ts"],
  ["Tools for a model", "tools.ts"],
  ["What providers refuse", "mcpgen lint"],
];

const body = `
<label for="playground-text">A tool, the schema of its arguments, or what a server answers to tools/list</label>
<textarea id="playground-text" rows="18" spellcheck="false" autocomplete="off"></textarea>
<p>
  <label>Provider <select name="provider"><option value="">Anthropic, OpenAI and Gemini</option></select></label>
  <button type="button" name="generate">Generate</button>
</p>
<div role="status"></div>
<div role="group" aria-label="Output"></div>
<label>File <select name="file"></select></label>
<pre tabindex="0" role="region" aria-label="The output"></pre>`;

const element = (name, properties) =>
  Object.assign(document.createElement(name), properties);

/**
 * Gives a request to a worker of its own, and the answer to `done`. Returns a
 * function that stops the worker.
 */
function ask(request, done) {
  const worker = new Worker(new URL("worker.mjs", import.meta.url), {
    type: "module",
  });
  const fail = (messages) => end({ outputs: [], messages });
  const late = `The generator did not end within ${maxSeconds} seconds and was stopped. Try a shorter text. `;
  const timer = setTimeout(() => fail(late), maxSeconds * 1000);
  const stop = () => {
    clearTimeout(timer);
    worker.terminate();
  };
  const end = (answer) => {
    stop();
    done(answer);
  };
  worker.addEventListener("message", ({ data }) => end(data));
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    fail("The generator could not be loaded. Load the page again. ");
  });
  // It transfers nothing.
  worker.postMessage(request, []);
  return stop;
}

/**
 * Puts the program in place of the example of the page, with which it begins.
 */
export function showPlayground(example) {
  const root = element("div", {
    className: "playground",
    innerHTML: `<style>${style}</style>${body}`,
  });
  const text = root.querySelector("textarea");
  const [status, group] = root.querySelectorAll("[role]");
  const output = root.querySelector("pre");
  const [provider, generate, file] = root.querySelectorAll("[name]");
  let outputs = new Map();
  let selected = "types.ts";
  let stop;
  let pause;

  const show = (wanted) => {
    selected = wanted;
    const [first = ""] = outputs.keys();
    const name = outputs.has(wanted) ? wanted : first;
    output.textContent = outputs.get(name) ?? "";
    file.value = name;
    for (const button of group.children)
      button.ariaPressed = String(button.value === name);
  };
  const take = (answer) => {
    outputs = new Map(answer.outputs);
    const isDone = outputs.has("types.ts");
    status.textContent = `${answer.messages}${isDone ? "The files are generated." : "No file is generated."}`;
    file.replaceChildren(
      ...[...outputs.keys()].map((name) => new Option(name)),
    );
    show(selected);
  };
  const run = () => {
    clearTimeout(pause);
    stop?.();
    const { size } = new Blob([text.value]);
    const tooLong = `The text has ${size} bytes, and the page takes ${maxBytes} at most. The command line takes more. `;
    status.textContent = "The generator runs.";
    if (size > maxBytes) take({ outputs: [], messages: tooLong });
    else stop = ask({ text: text.value, provider: provider.value }, take);
  };

  text.value = example.querySelector("code").textContent;
  for (const { id, title } of providers) provider.append(new Option(title, id));
  for (const [textContent, value] of buttons)
    group.append(element("button", { type: "button", textContent, value }));
  group.addEventListener(
    "click",
    ({ target }) => target.value && show(target.value),
  );
  const runAgain = (delay) => {
    clearTimeout(pause);
    pause = setTimeout(run, delay);
  };
  text.addEventListener("input", () => runAgain(500));
  provider.addEventListener("change", () => runAgain(0));
  generate.addEventListener("click", run);
  file.addEventListener("change", () => show(file.value));
  example.replaceWith(root);
  run();
}
