export interface Failure {
  code: number;
  message: string;
  data?: unknown;
}
export interface Response {
  id?: string | number;
  error: Failure;
}
export interface UrlRequired extends Omit<Response, "error"> {
  error: Failure & { code: -32042; data: { urls: string[] } };
}
export interface Slim extends Omit<Failure, "data" | "message"> {}
