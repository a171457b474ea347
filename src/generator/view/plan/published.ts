/** The files with exports of their own. */
type Published = "validate" | "dispatch" | "client" | "server";

/** The types of `tables.ts`, which `dispatch.ts` exports again. */
export const tableTypes: readonly string[] = [
  "Capabilities",
  "Classified",
  "Condition",
  "NotificationFacts",
  "NotificationMethod",
  "NotificationRow",
  "NotificationTypes",
  "ProtocolTable",
  "RequestFacts",
  "RequestMethod",
  "RequestRow",
  "RequestTypes",
  "Revision",
];

/** The exports of each file other than the names of the schema. */
export const fixedExports: Readonly<
  Record<
    Published,
    { readonly values: readonly string[]; readonly types: readonly string[] }
  >
> = {
  validate: {
    values: ["isValidationError", "lastIssue", "ValidationError"],
    types: ["Issue", "Parsed", "Schema"],
  },
  dispatch: {
    values: ["classify", "protocol", "revision"],
    types: [
      ...tableTypes,
      "ClientNotifications",
      "ClientRequests",
      "Notifications",
      "Requests",
      "ServerNotifications",
      "ServerRequests",
    ].sort(),
  },
  client: {
    values: ["Client", "clientQuestions", "clientSide"],
    types: ["ClientHandlers", "ClientOptions"],
  },
  server: {
    values: ["createServer", "serverQuestions", "serverSide"],
    types: [
      "Context",
      "Server",
      "ServerHandlers",
      "ServerNotify",
      "ServerOptions",
    ],
  },
};

/**
 * All of these exports: an index file uses these names unless a type of the
 * schema has them.
 */
export const publishedNames: readonly string[] = Object.values(
  fixedExports,
).flatMap(({ values, types }) => [...values, ...types]);

/** Names that `dispatch.ts` declares or imports for itself. */
export const internalNames: readonly string[] = [
  "anything",
  "classifyMessage",
  "messages",
  "notificationTable",
  "questions",
  "requestTable",
  "v",
];
