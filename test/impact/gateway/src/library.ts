import { McpError } from "@mcpgen/runtime";
import {
  type CallToolResult,
  type ContentBlock,
  type CreateMessageRequestParams,
  createServer,
  type ElicitRequestParams,
  isTextContent,
  type LoggingLevel,
  type Resource,
  type Server,
  type ServerHandlers,
  serverQuestions,
  type Tool,
} from "./mcp/index.js";

/** The books of the library, by their URI. */
export const books = new Map([
  ["book:///alice", { title: "Alice", text: "Down the rabbit hole." }],
  [
    "book:///kim",
    { title: "Kim", text: "He sat, in defiance of municipal orders." },
  ],
]);

const tools: Tool[] = [
  {
    name: "summarize",
    title: "Summarize a book",
    inputSchema: {
      type: "object",
      properties: { uri: { type: "string" } },
      required: ["uri"],
    },
    annotations: { readOnlyHint: true },
  },
  { name: "lend", title: "Lend a book", inputSchema: { type: "object" } },
];

const text = (value: string): ContentBlock => ({ type: "text", text: value });

/** What the client's model is asked to do. */
export function summaryOf(of: string): CreateMessageRequestParams {
  return {
    messages: [
      { role: "user", content: { type: "text", text: `Summarize: ${of}` } },
    ],
    includeContext: "none",
    modelPreferences: { speedPriority: 1, hints: [{ name: "small" }] },
    maxTokens: 400,
  };
}

/** What the reader is asked before a book is lent. */
export const question: ElicitRequestParams = {
  message: "How many days?",
  requestedSchema: {
    type: "object",
    properties: { days: { type: "integer", minimum: 1, maximum: 30 } },
    required: ["days"],
  },
};

function find(uri: unknown): { title: string; text: string } {
  const book = books.get(String(uri));
  if (book === undefined)
    throw new McpError(-32002, "There is no such book.", { uri });
  return book;
}

/** Lists books, reads them, summarizes them and lends them. */
export function libraryHandlers(): ServerHandlers {
  const watched = new Set<string>();
  let level: LoggingLevel = "warning";
  return {
    "tools/list": () => ({ tools }),
    "tools/call": async (
      { name, arguments: args },
      context,
    ): Promise<CallToolResult> => {
      const book = find(args?.["uri"]);
      if (name === "lend") {
        const answer = await context.request("elicitation/create", question);
        if (answer.action !== "accept")
          return { content: [text("Not lent.")], isError: true };
        return {
          content: [text(`Lent for ${String(answer.content?.["days"])} days.`)],
        };
      }
      if (level === "debug") context.log("debug", `summarizes ${book.title}`);
      context.progress(1, 2);
      const { content, model } = await context.request(
        "sampling/createMessage",
        summaryOf(book.text),
      );
      const summary = isTextContent(content)
        ? content.text
        : `${model} said nothing`;
      return {
        content: [text(summary)],
        structuredContent: { title: book.title },
      };
    },
    "resources/list": () => ({
      resources: [...books].map(([uri, { title }]): Resource => ({
        uri,
        name: title,
        title,
        mimeType: "text/plain",
      })),
    }),
    "resources/read": ({ uri }) => ({
      contents: [{ uri, text: find(uri).text, mimeType: "text/plain" }],
    }),
    "resources/subscribe": ({ uri }) => {
      watched.add(uri);
      return {};
    },
    "resources/unsubscribe": ({ uri }) => {
      watched.delete(uri);
      return {};
    },
    "logging/setLevel": (params) => {
      level = params.level;
      return {};
    },
    "completion/complete": ({ argument }) => ({
      completion: {
        values: [...books.keys()].filter((uri) => uri.includes(argument.value)),
        hasMore: false,
      },
    }),
  };
}

/** A server of the library. */
export function createLibrary(): Server {
  return createServer({
    info: { name: "library", version: "1.0.0" },
    capabilities: { logging: {}, resources: { subscribe: true } },
    questions: serverQuestions,
    handlers: libraryHandlers(),
  });
}
