export interface Named {
  name: string;
  title?: string;
}
export interface Aged {
  age: number;
}
/** Both bases, with one member made stricter. */
export interface Person extends Named, Aged {
  title: "Dr" | "Ms";
}
export interface Anonymous {}
export interface Employee extends Person {
  boss?: Person;
}
