import type { Caller, EmulatorContext } from '../context/action-context.ts';
import type { JsonObject } from '../protocol/body.ts';
import { ROUTES } from '../routes/table.ts';

/** The caller of an MCP request, and the id of that request for error bodies. */
export interface McpCaller {
  readonly caller: Caller;
  readonly requestId: string;
}

/** A call of a tool. Host, API key and rate limit are checked already. */
export interface ToolCall {
  readonly context: EmulatorContext;
  readonly caller: Caller;
  readonly args: JsonObject;
}

/**
 * An MCP tool. The service document names only the two automation tools, so the names and inputs of all others are a
 * guess.
 */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /**
   * JSON Schema for the client only. `run` itself checks the values, and refuses with codes of the service document.
   */
  readonly inputSchema: {
    readonly type: 'object';
    readonly properties: Readonly<Record<string, object>>;
    readonly required?: string[];
  };
  readonly annotations: ToolHints;
  readonly scope?: string;
  /** Returns the result of the tool. Throws a Refusal if the call is refused. */
  readonly run: (call: ToolCall) => JsonObject;
}

/** The hints of the MCP standard about a tool. A client may show them before it calls the tool. */
export interface ToolHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  /** True if the tool reaches people outside of the account. */
  readonly openWorldHint: boolean;
}

/** The hints of a tool that only reads data. */
export const READ_HINTS: ToolHints = { readOnlyHint: true, destructiveHint: false, openWorldHint: false };
/** The hints of a tool that changes data of the account, but sends no mail. */
export const WRITE_HINTS: ToolHints = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };
/** The hints of a tool that sends mail to individual people. */
export const MAIL_HINTS: ToolHints = { readOnlyHint: false, destructiveHint: false, openWorldHint: true };
/** The hints of the two tools that send a campaign (service document, "What the service does"). */
export const AUDIENCE_MAIL_HINTS: ToolHints = { readOnlyHint: false, destructiveHint: true, openWorldHint: true };

export const STRING_SCHEMA = { type: 'string' } as const;
/** The arguments of tools that list objects page by page. */
export const PAGE_SCHEMA = {
  limit: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
  after: { type: 'string', description: 'next_cursor of the previous page' },
} as const;

/** What a tool passes to the endpoint that it calls. */
export interface RouteInput {
  /** The `{…}` parts of the path, in order. */
  readonly params?: readonly string[];
  /** The fields of the query. Null and undefined ones are left out. */
  readonly query?: JsonObject;
  readonly body?: JsonObject;
}

/**
 * Runs the action of an endpoint such as `GET /v1/audiences`, and returns the body of its response. Throws if the
 * endpoint refuses.
 */
export function callRoute({ context, caller }: ToolCall, name: string, passed: RouteInput): JsonObject {
  const route = ROUTES.find(({ method, path }) => `${method} ${path}` === name);
  if (route === undefined) {
    throw new RangeError(`unknown route ${name}`);
  }
  const { params = [], query = {}, body = {} } = passed;
  const response = route.action({ context, caller, params, query: toQuery(query), body, dropRows: 0 });
  return Object(response.body);
}

/** Fields as a query. Leaves out null and undefined. */
export function toQuery(fields: JsonObject): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && value !== null) {
      query.set(name, String(value));
    }
  }
  return query;
}
