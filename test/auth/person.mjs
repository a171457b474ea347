/**
 * A person with a browser, who signs in and agrees on the pages of the
 * authorization server, or refuses.
 */
export class Person {
  count = 0;
  isWilling = true;
  uri = "http://127.0.0.1:33418/callback";
  #name;
  #cookies = new Map();

  constructor(name = "ada") {
    this.#name = name;
  }

  redirectUri() {
    let answer;
    return {
      uri: this.uri,
      answer: new Promise((resolve) => (answer = resolve)),
      open: async (page) => answer(await this.visit(page)),
      close: () => {},
    };
  }

  /**
   * Follows redirects and fills in forms until the page is the redirect URI,
   * whose parameters it returns, or there are no more forms to fill in.
   */
  async visit(page) {
    this.count++;
    for (let url = new URL(page), form; ;) {
      if (url.href.startsWith(this.uri)) return url.searchParams;
      const cookie = [...this.#cookies]
        .map(([name, value]) => `${name}=${value}`)
        .join("; ");
      const init = form ? { method: "POST", body: form } : {};
      const response = await fetch(url, {
        ...init,
        redirect: "manual",
        headers: { cookie },
      });
      for (const line of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
        this.#cookies.set(name, value);
      }
      form = undefined;
      const location = response.headers.get("location");
      if (location !== null) {
        url = new URL(location, url);
        continue;
      }
      const html = await response.text();
      const [, action] = /<form[^>]* action="([^"]+)"/.exec(html) ?? [];
      const [, abort] = /href="([^"]+\/abort)"/.exec(html) ?? [];
      if (!response.ok)
        throw new Error(
          `The page is an error: ${response.status} ${html.slice(0, 2000)}`,
        );
      const hidden = [
        ...html.matchAll(
          /<input type="hidden" name="([^"]+)" value="([^"]*)"/g,
        ),
      ];
      // The page for a device has a button to abort; the others have a link.
      const isDevice = hidden.some(([, name]) => name === "user_code");
      const isOver = this.isWilling
        ? action === undefined
        : abort === undefined && !isDevice;
      if (isOver) return undefined;
      if (this.isWilling || isDevice)
        form = new URLSearchParams({
          ...Object.fromEntries(hidden.map(([, name, value]) => [name, value])),
          prompt: html.includes('name="login"') ? "login" : "consent",
          login: this.#name,
          password: "x",
          ...(!this.isWilling && { abort: "yes" }),
        });
      url = new URL(this.isWilling || isDevice ? action : abort, url);
    }
  }
}
