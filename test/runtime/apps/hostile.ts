/** Values that are not URIs of views. */
export const badUris: readonly unknown[] = [
  "",
  "ui:",
  "ui://",
  "ui:/a",
  "UI://a",
  " ui://a",
  "https://a/ui://a",
  "javascript:alert(1)//ui://a",
  "ui://a b",
  "ui://a\n",
  "ui://a\u0000",
  "ui://a\u202Elmth.b",
  "ui://\u00E9",
  'ui://a"onload="alert(1)',
  "ui://<script>",
  "ui://a\\..\\b",
  "ui://a|b",
  "ui://a`b",
  "ui://a%",
  "ui://a%zz",
  5,
  null,
  ["ui://a"],
  { toString: () => "ui://a" },
];

/** URIs of views. */
export const goodUris: readonly string[] = [
  "ui://a",
  "ui://weather-server/dashboard-template",
  "ui://a/b.html?c=d&e='f'#g",
  "ui:///a",
  "ui://a:80/%C3%A9~(b);c,d",
];

/**
 * Values that are not origins, and that a host must not write into a header or
 * an attribute.
 */
export const badOrigins: readonly unknown[] = [
  "",
  "https://a.example; script-src 'unsafe-eval'",
  "https://a.example;script-src",
  "https://a.example https://b.example",
  "https://a.example,https://b.example",
  "'unsafe-inline'",
  "'self'",
  '"https://a.example"',
  "https://a.example\r\nset-cookie: a=b",
  "https://a.example\t",
  "https://a.example\u0000",
  "https://a.example\u2028",
  "https://\u0430.example",
  "https://a.example\\",
  "https://a.example<b>",
  5,
  null,
  ["https://a.example"],
];

/** Origins, as the specification and servers write them. */
export const goodOrigins: readonly string[] = [
  "https://a.example",
  "https://*.a.example:8443",
  "wss://a.example/path/",
  "http://localhost:3000",
  "http://[::1]:3000",
  "data:",
];
