import { stdio } from "@mcpgen/runtime/stdio";
import { createCode } from "./agent/code.js";
import { connectMail } from "./mail/connect.js";
import { connectShop } from "./shop/connect.js";

const start = (file: string) => stdio("node", ["--import", "tsx", file]);
const info = { name: "agent", version: "1.0.0" };
export const shop = await connectShop(start("shop-server.ts"), { info });
export const mail = await connectMail(start("mail-server.ts"), { info });

export const code = createCode({ shop, mail });

export async function close(): Promise<void> {
  await shop.close();
  await mail.close();
}
