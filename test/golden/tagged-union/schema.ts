export interface TextBlock {
  type: "text";
  text: string;
}
export interface ImageBlock {
  type: "image";
  data: string;
  mimeType: string;
}
export interface LinkBlock extends Named {
  type: "link";
  uri: string;
}
export interface Named {
  name: string;
}
export type Block = TextBlock | ImageBlock | LinkBlock;
/** The tag may be absent: that means a form. */
export type Ask =
  { mode?: "form"; fields: string[] } | { mode: "url"; url: string };
