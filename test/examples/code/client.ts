import { close, code } from "./agent.js";

console.log(code.index);
console.log(code.search("send mail"));

const program = `
const { ids } = await shop.listOrders({});
const orders = await Promise.all(ids.map((id) => shop.getOrder({ id })));
const unpaid = orders.filter(({ isPaid }) => !isPaid);
for (const { customer, total } of unpaid) {
  const { text } = await mail.sendMail({ to: customer, text: \`Please pay \${total} euros.\` });
  console.log(text);
}
return \`\${unpaid.length} of \${orders.length} orders are not paid.\`;
`;

const wrong = await code.run(program.replace("{ id }", "{ ids: id }"));
if (!wrong.ok) console.log(wrong.message);

const refused = await code.run(program);
if (!refused.ok) console.log(refused.message);

const result = await code.run(program, { allow: ["mail.sendMail"] });
console.log(result.text);
if (result.ok) console.log(result.value);
console.log(result.calls.map(({ tool, state }) => `${tool} ${state}`));
await close();
