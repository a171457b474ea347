import { protocols } from "./gen/index.js";

const line =
  '{"jsonrpc":"2.0","id":7,"method":"resources/subscribe","params":{"uri":"docs://readme","x-trace":"abc"}}';

for (const [revision, { classify }] of Object.entries(protocols)) {
  const message: unknown = JSON.parse(line);
  const classified = classify(message);
  if (classified.kind !== "request" || !classified.row) {
    console.log(revision, "has no such request");
    continue;
  }
  const { facts, request } = classified.row;
  console.log(
    revision,
    facts.sender,
    facts.needs,
    request.safeParse(message).success,
  );
}
