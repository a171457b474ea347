export interface TextContents {
  uri: string;
  text: string;
}
export interface BlobContents {
  uri: string;
  blob: string;
}
export interface Resource {
  contents: (TextContents | BlobContents)[];
}
export type Id = string | number;
export type Anything = string | number | boolean | null | string[] | Resource;
