import type { JsonObject } from "../../common/object.js";
import type { Provided } from "../core/ports/feature.js";
import type { AskOptions } from "../core/session/config.js";
import type { ServerContext } from "../core/session/server-context.js";
import type { FeatureContext, StandardSchema } from "./feature.js";
import { checkStandard, isStandard, toJsonSchema } from "./standard.js";

/** Short forms of `context.request` for questions to the user and the model. */
export interface Questions {
  /**
   * Asks the user to fill in a form: a JSON Schema of flat fields, or a
   * Standard Schema that can be converted to one. After `accept` the content
   * has the types of the fields. The server needs `questions: serverQuestions`.
   */
  elicit<const F extends Form>(
    message: string,
    form: F,
    options?: AskOptions,
  ): Promise<Filled<F>>;
  /**
   * Asks the model of the client. `messages` may be the text of one message of
   * the user. The server needs `questions: serverQuestions`.
   */
  sample(params: SampleParams, options?: AskOptions): Promise<Sample>;
}

/**
 * The context of a function of a tool, resource or prompt of a server, which may
 * ask. In a list that is declared apart from a server, annotate the parameter:
 * `context: Asking<Context>`, with the `Context` of the generated code.
 */
export type Asking<Context> = Context & Questions;

/**
 * The context without an annotation. A function that declares the context of
 * one revision must fit a list that is declared apart, so it has no questions.
 */
export type Asked<Context> = FeatureContext extends Context
  ? Context
  : Asking<Context>;

/** The fields of a form. */
export type Form = StandardSchema | FormSchema;

/** A form as a JSON Schema. */
interface FormSchema {
  readonly type: "object";
  readonly properties: { readonly [name: string]: Field };
  readonly required?: readonly string[];
}

/** A field: a text, a number, a boolean, or a choice of one or more values. */
interface Field {
  readonly type: "string" | "number" | "integer" | "boolean" | "array";
  readonly [keyword: string]: unknown;
}

/** What the user did with a form. */
export type Filled<F> =
  | { readonly action: "accept"; readonly content: FormValues<F> }
  | { readonly action: "decline" | "cancel"; readonly content?: undefined };

/** The values of a form; those that it does not require may be absent. */
type FormValues<F> =
  F extends StandardSchema<infer Output>
    ? Output
    : F extends { readonly properties: infer Fields }
      ? {
          readonly [
            Name in keyof Fields as Name extends Required<F> ? Name : never
          ]: FieldValue<Fields[Name]>;
        } & {
          readonly [
            Name in keyof Fields as Name extends Required<F> ? never : Name
          ]?: FieldValue<Fields[Name]>;
        }
      : never;
type Required<F> = F extends { readonly required: readonly (infer Name)[] }
  ? Name
  : never;
type FieldValue<F> = F extends { readonly items: infer Item }
  ? readonly FieldValue<Item>[]
  : F extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : F extends
          | { readonly oneOf: readonly { readonly const: infer Value }[] }
          | { readonly anyOf: readonly { readonly const: infer Value }[] }
      ? Value
      : F extends { readonly type: "string" }
        ? string
        : F extends { readonly type: "boolean" }
          ? boolean
          : F extends { readonly type: "number" | "integer" }
            ? number
            : string | number | boolean | readonly string[];

/** A question to the model. Its other members are sent as they are. */
export interface SampleParams {
  readonly messages: string | readonly SampleMessage[];
  readonly maxTokens: number;
  readonly systemPrompt?: string;
  readonly [member: string]: unknown;
}
interface SampleMessage {
  readonly role: "user" | "assistant";
  readonly content: object;
}

/** The answer of the model. */
export interface Sample {
  /** The text of its blocks. */
  readonly text: string;
  readonly model: string;
  readonly stopReason?: string;
  /** One block, or several in revisions that allow them. */
  readonly content: object;
}

/** Handlers whose contexts have the short forms. */
export const asking = (handlers: Provided["handlers"]): Provided["handlers"] =>
  Object.fromEntries(
    Object.entries(handlers).map(([method, handler]) => [
      method,
      (params: never, context: never): unknown =>
        handler(params, withQuestions(context) as never),
    ]),
  );

/** A converted schema: some clients accept what a form has only. */
function formOf(standard: StandardSchema): object {
  const json = toJsonSchema(standard, "input", "context.elicit: form");
  const { type, properties, required } = json as JsonObject;
  return { type, properties, required };
}

/** Adds the short forms to a context. They do not use `this`. */
function withQuestions(context: FeatureContext): FeatureContext {
  const elicit = async (
    message: string,
    form: Form,
    options?: AskOptions,
  ): Promise<unknown> => {
    const standard = isStandard(form) ? form : undefined;
    const requestedSchema = standard ? formOf(standard) : form;
    const answer = (await context.request(
      methodOf(context, "elicitation"),
      { message, requestedSchema },
      options,
    )) as Filled<StandardSchema>;
    if (!standard || answer.action !== "accept") return answer;
    const { value, issues } = {
      value: undefined,
      ...(await checkStandard(standard, answer.content)),
    };
    if (!issues) return { ...answer, content: value };
    throw new Error(
      `context.elicit: the answer does not match the form: ${issues.join("; ")}.`,
    );
  };
  const sample = async (
    params: SampleParams,
    options?: AskOptions,
  ): Promise<unknown> => {
    const messages =
      typeof params.messages === "string"
        ? [{ role: "user", content: { type: "text", text: params.messages } }]
        : params.messages;
    const method = methodOf(context, "sampling");
    const answer = (await context.request(
      method,
      { ...params, messages },
      options,
    )) as JsonObject;
    const blocks = [answer["content"]].flat() as { readonly text?: unknown }[];
    const texts = blocks.map(({ text = "" }) => String(text));
    return { ...answer, text: texts.join("") };
  };
  return Object.assign(context, { elicit, sample } as Questions);
}

/**
 * The request to the client that needs this capability. If the server cannot
 * send it, the error that says why names the capability.
 */
function methodOf(context: FeatureContext, capability: string): string {
  const { side } = (context as FeatureContext & ServerContext).session.config;
  const row = Object.values(side.outgoingRequests).find(
    ({ needs }) => needs && capability in needs,
  );
  return row?.method ?? capability;
}
