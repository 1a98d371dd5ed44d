import type { JsonObject } from '../context.ts';
import { ROUTES } from '../routes/table.ts';
import type { ToolCall } from './tool.ts';

/** The input that a tool passes to the endpoint that it mirrors. */
export interface RouteInput {
  /** The `{…}` parts of the path, in order. */
  readonly params?: readonly string[];
  /** Text and numbers; a query has nothing else. */
  readonly query?: JsonObject;
  readonly body?: JsonObject;
}

/**
 * Runs the action of an endpoint, named as in the document, and returns the body of its answer. Throws its refusals.
 */
export function askRoute({ context, caller }: ToolCall, name: string, passed: RouteInput): JsonObject {
  const route = ROUTES.find(({ method, path }) => `${method} ${path}` === name);
  if (route === undefined) {
    throw new RangeError(`no route ${name}`);
  }
  const { params = [], query = {}, body = {} } = passed;
  const answer = route.action({ context, caller, params, query: toQuery(query), body, dropRows: 0 });
  return Object(answer.body);
}

/** Arguments as a query, without the absent ones. */
export function toQuery(fields: JsonObject): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && value !== null) {
      query.set(name, String(value));
    }
  }
  return query;
}
