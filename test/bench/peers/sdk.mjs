/**
 * The zod schemas of the official SDK. They also copy the value that they
 * check.
 */
export async function officialSdk(types) {
  const schemas = new Map(
    Object.entries(await import("@modelcontextprotocol/sdk/types.js")),
  );
  return new Map(
    types.map((type) => {
      const schema = schemas.get(`${type}Schema`);
      return [type, (value) => schema.safeParse(value).success];
    }),
  );
}
