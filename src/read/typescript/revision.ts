export { revisionOf } from "../revision.js";
