// A page as GitHub shows it, as far as its layout goes: sizes, margins and
// fonts of the text of a README.
import MarkdownIt from "markdown-it";

const css = `
  body { margin: 0; padding: 32px; font: 16px/1.5 -apple-system, BlinkMacSystemFont, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; }
  h1, h2, h3 { margin: 24px 0 16px; font-weight: 600; line-height: 1.25; }
  h1 { margin-top: 0; font-size: 2em; }
  h2 { font-size: 1.5em; }
  h1, h2 { padding-bottom: 0.3em; border-bottom: 1px solid #d1d9e0; }
  p, ul, pre, table { margin: 0 0 16px; }
  ul { padding-left: 2em; }
  li + li { margin-top: 0.25em; }
  a { color: #0969da; }
  code { padding: 0.2em 0.4em; font: 85% ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; background: #818b981f; border-radius: 6px; }
  pre { padding: 16px; overflow: auto; line-height: 1.45; font-size: 85%; background: #f6f8fa; border-radius: 6px; }
  pre code { padding: 0; font-size: 100%; line-height: inherit; background: none; }
  table { display: block; width: max-content; max-width: 100%; overflow: auto; border-collapse: collapse; }
  th, td { padding: 6px 13px; border: 1px solid #d1d9e0; }
  img { max-width: 100%; }
  @media (prefers-color-scheme: dark) { body { color: #f0f6fc; background: #0d1117; } pre { background: #151b23; } a { color: #4493f8; } }
`;

/**
 * The HTML of a Markdown page; relative links start at `base`, the address of
 * its folder.
 */
export function asOnGitHub(markdown, base) {
  const body = new MarkdownIt({ html: true, linkify: true }).render(markdown);
  return `<!doctype html><meta charset="utf-8"><base href="${base}"><style>${css}</style>${body}`;
}
