import { createInterface } from "node:readline";

/** Reads lines from the terminal until one is the address of the last page, with the answer to the sign-in. */
export function readPastedAddress(
  accept: (params: URLSearchParams) => boolean,
  show: (text: string) => void,
  signal: AbortSignal,
): void {
  const { stdin } = process;
  if (!stdin.isTTY) return;
  show("If your browser cannot reach the last page, paste the address of that page here:\n");
  const lines = createInterface({ input: stdin });
  signal.addEventListener("abort", () => lines.close());
  lines.on("line", (line) => {
    const text = line.trim();
    if (text === "") return;
    if (URL.canParse(text) && accept(new URL(text).searchParams)) lines.close();
    else show("This is not the address of the last page of this sign-in. Paste all of it:\n");
  });
}
