export interface Result {
  _meta?: { [key: string]: unknown };
}
export interface Task {
  id: string;
  ttl: number | null;
}
export type GetTaskResult = Result & Task;
export type Detailed = Task & { details: string; ttl: number };
