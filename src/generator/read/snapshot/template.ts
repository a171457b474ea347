import type {
  TemplateExpression,
  TemplatePart,
  TemplateVariable,
} from "../../ir/snapshot/model.js";

const expression = /^([+#./;?&]?)([^{}]+)$/;
const variable =
  /^((?:[A-Za-z0-9_.]|%[0-9A-Fa-f]{2})+)(?:(\*)|:([1-9][0-9]{0,3}))?$/;

/** The parts of a URI template (RFC 6570), or the reason why it is invalid. */
export function parseTemplate(
  template: string,
): readonly TemplatePart[] | string {
  const label = JSON.stringify(template.slice(0, 80));
  const parts: TemplatePart[] = [];
  for (const [index, piece] of template.split("{").entries()) {
    const [inside = "", behind, ...more] =
      index === 0 ? ["", piece] : piece.split("}");
    if (
      behind === undefined ||
      more.length > 0 ||
      (index === 0 && behind.includes("}"))
    ) {
      return `the template ${label} has unmatched braces`;
    }
    if (index > 0) {
      const expression = parseExpression(inside);
      if (expression === null)
        return `the template ${label} has the invalid expression "{${inside.slice(0, 80)}}"`;
      parts.push(expression);
    }
    if (behind !== "") parts.push(behind);
  }
  return parts;
}

function parseExpression(text: string): TemplateExpression | null {
  const [, operator, list] = expression.exec(text) ?? [];
  if (operator === undefined || list === undefined) return null;
  const variables = list.split(",").map((entry): TemplateVariable | null => {
    const [, name, star, prefix] = variable.exec(entry) ?? [];
    if (name === undefined) return null;
    return {
      name,
      explode: star !== undefined,
      prefix: prefix === undefined ? null : Number(prefix),
    };
  });
  return variables.every((entry) => entry !== null)
    ? { operator, variables }
    : null;
}
