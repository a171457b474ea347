export type JSONValue =
  string | number | boolean | null | JSONObject | JSONArray;
export interface JSONObject {
  [key: string]: JSONValue;
}
export type JSONArray = JSONValue[];
export interface Tree {
  label: string;
  children?: Tree[];
}
/** Nothing tells the arms apart beforehand. */
export type Either = { left: Either | string } | { right: Either | number };
