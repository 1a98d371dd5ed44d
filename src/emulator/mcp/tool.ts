import type { Caller, Context, JsonObject } from '../action-context.ts';
import { ROUTES } from '../routes/table.ts';

/** The caller of a request, and the id of the request in the log. */
export interface McpCaller {
  readonly caller: Caller;
  readonly requestId: string;
}

/** One call of one tool, after the checks of host, key and rate. */
export interface ToolCall {
  readonly context: Context;
  readonly caller: Caller;
  readonly args: JsonObject;
}

/** One tool. Two mirror endpoints; names and inputs of the others are our reading of the document's prose. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema. `run` checks each call, with the codes of the error table. */
  readonly inputSchema: {
    readonly type: 'object';
    readonly properties: Readonly<Record<string, object>>;
    readonly required?: string[];
  };
  readonly annotations: ToolMarks;
  readonly scope?: string;
  /** The result as an object; throws a Refusal. */
  readonly run: (call: ToolCall) => JsonObject;
}

/** Hints for a client before it calls a tool. */
export interface ToolMarks {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  /** True if it reaches people outside of the account. */
  readonly openWorldHint: boolean;
}

export const READS: ToolMarks = { readOnlyHint: true, destructiveHint: false, openWorldHint: false };
export const WRITES: ToolMarks = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };
export const MAILS: ToolMarks = { readOnlyHint: false, destructiveHint: false, openWorldHint: true };
/** Both sends of a campaign (document, "What the service does"). */
export const MAILS_AN_AUDIENCE: ToolMarks = { readOnlyHint: false, destructiveHint: true, openWorldHint: true };

export const STRING = { type: 'string' } as const;
/** Page arguments of every listing tool. */
export const PAGE = {
  limit: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
  after: { type: 'string', description: 'next_cursor of the page before' },
} as const;

/** The input that a tool passes to the endpoint that it mirrors. */
export interface RouteInput {
  /** The `{…}` parts of the path, in order. */
  readonly params?: readonly string[];
  /** Text and numbers; a query has nothing else. */
  readonly query?: JsonObject;
  readonly body?: JsonObject;
}

/**
 * Runs the action of an endpoint, named as in the document, and returns the body of its response. Throws its refusals.
 */
export function askRoute({ context, caller }: ToolCall, name: string, passed: RouteInput): JsonObject {
  const route = ROUTES.find(({ method, path }) => `${method} ${path}` === name);
  if (route === undefined) {
    throw new RangeError(`no route ${name}`);
  }
  const { params = [], query = {}, body = {} } = passed;
  const response = route.action({ context, caller, params, query: toQuery(query), body, dropRows: 0 });
  return Object(response.body);
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
