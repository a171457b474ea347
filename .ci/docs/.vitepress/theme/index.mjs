// The theme of VitePress, and the program of the page "Playground", which only
// that page loads.
import { onContentUpdated } from "vitepress";
import theme from "vitepress/theme";

export default {
  ...theme,
  setup() {
    onContentUpdated(async () => {
      const example = document.querySelector(
        "p:has(#playground-program) + div",
      );
      if (example === null) return;
      const { showPlayground } = await import("../../playground/page.mjs");
      showPlayground(example);
    });
  },
};
