const url = "http://127.0.0.1:3000/mcp";
const names = [
  "access-control-allow-origin",
  "access-control-allow-headers",
  "access-control-expose-headers",
] as const;

/** What a browser sends before the request of a page. */
export async function preflight(origin: string): Promise<void> {
  const response = await fetch(url, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type,mcp-session-id",
    },
  });
  console.log(response.status);
  for (const name of names)
    console.log(`  ${name}: ${response.headers.get(name) ?? "none"}`);
}

await preflight("https://app.example.com");
await preflight("https://evil.example.com");
