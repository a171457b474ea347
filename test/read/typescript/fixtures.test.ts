import { finished } from "../../finished.js";
import { describe, expect, it } from "vitest";
import {
  Diagnostics,
  type Diagnostic,
} from "../../../src/generator/diagnostics.js";
import type { Schema } from "../../../src/generator/ir/constraint.js";
import { propertiesIn } from "../../../src/generator/ir/constraint/form.js";
import type { Message, Protocol } from "../../../src/generator/ir/model.js";
import { readPath } from "../../../src/generator/read/index.js";
import {
  bare,
  bounded,
  formatted,
  literal,
  member,
  number,
  reference,
  text,
  union,
} from "../../ir/schemas.js";
import { declarationOf, messageOf } from "./reading.js";

async function fixture(
  name: string,
): Promise<{ protocol: Protocol; reports: readonly Diagnostic[] }> {
  const diagnostics = new Diagnostics();
  const protocol = await readPath(`test/fixtures/${name}`, {}, diagnostics);
  if (protocol === null) throw new Error(JSON.stringify(diagnostics.list));
  return { protocol, reports: finished(diagnostics.list) };
}

function summary({ method, sender, capability, ...message }: Message): string {
  const needs =
    capability === null ? "-" : `${capability.side} ${capability.path}`;
  const paged =
    message.kind === "request" && message.items !== null
      ? ` [${message.items}]`
      : "";
  const answers =
    message.kind === "request" ? ` ${message.results.join("|")}${paged}` : "";
  return `${method} ${sender} ${needs}${answers}`;
}

describe("an unknown revision", () => {
  it("is read without an assumption", async () => {
    const { protocol, reports } = await fixture("made-up");
    expect(reports).toEqual([]);
    expect(protocol.revision).toBe("aurora-7");
    expect(protocol.opening).toBe("initialize");
    expect(protocol.messages.map(summary)).toEqual([
      "initialize client - InitializeResult",
      "notifications/initialized client -",
      "ping either - EmptyResult",
      "notifications/cancelled either -",
      "notifications/progress either -",
      "tools/list client server tools ListToolsResult [tools]",
      "tools/call client server tools CallToolResult",
      "notifications/tools/list_changed server server tools.listChanged",
      "weather/forecast client server weather.forecast WeatherForecastResult",
      "weather/places/list client server weather ListWeatherPlacesResult [places]",
      "notifications/weather/list_changed server server weather.listChanged",
      "window/lookOut server client window LookOutResult",
    ]);
  });

  it("keeps its content block, its renamed type and its error code", async () => {
    const { protocol } = await fixture("made-up");
    const bareOf = (name: string): Schema =>
      bare(declarationOf(protocol, name).schema);
    expect(bareOf("Block")).toEqual(
      union(reference("TextContent"), reference("HologramContent")),
    );
    const members = propertiesIn(bareOf("HologramContent"));
    expect(
      members.map((entry) => ({ ...entry, schema: bare(entry.schema) })),
    ).toEqual([
      member("type", literal("hologram")),
      member("data", formatted("byte")),
      member("opacity", bounded(number, 0, 1), true),
      member("looks", union(literal("solid"), literal("ghostly"), text)),
    ]);
    expect(bareOf("NO_FORECAST")).toEqual(literal(-32050));
  });

  it("has capabilities that are declared with true or an object, as in its types", async () => {
    const { protocol } = await fixture("made-up");
    expect(messageOf(protocol, "weather/forecast").capability).toMatchObject({
      flag: false,
    });
    expect(
      messageOf(protocol, "notifications/weather/list_changed").capability,
    ).toMatchObject({
      flag: true,
    });
  });
});

describe("a schema like the one tagged 2024-10-07", () => {
  it("is read, with a diagnostic for each assumption", async () => {
    const { protocol, reports } = await fixture("2024-10-07-alike");
    expect(protocol.revision).toBe("2024-10-07");
    expect(reports.map(({ code, severity }) => `${code} ${severity}`)).toEqual([
      "MG402 note",
    ]);
  });

  it("has messages whose senders and roles are assumed", async () => {
    const { protocol } = await fixture("2024-10-07-alike");
    expect(messageOf(protocol, "resources/templates/list").sender).toBe(
      "client",
    );
    expect(messageOf(protocol, "roots/list").sender).toBe("either");
    expect(protocol.wellKnown.cancelled).toBeUndefined();
  });

  it("has no levels and no headers", async () => {
    const { protocol } = await fixture("2024-10-07-alike");
    expect(protocol.levels).toEqual([]);
    expect(protocol.headers).toEqual({});
  });
});
