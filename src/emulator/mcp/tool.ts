import type { Caller, EmulatorContext, JsonObject } from '../action-context.ts';
import { ROUTES } from '../routes/table.ts';

/** The caller of an MCP request, and the id of the request for the log. */
export interface McpCaller {
  readonly caller: Caller;
  readonly requestId: string;
}

/** A call of a tool. Host, key and rate are already checked. */
export interface ToolCall {
  readonly context: EmulatorContext;
  readonly caller: Caller;
  readonly args: JsonObject;
}

/**
 * An MCP tool. The service document names only the two automation tools. So the names and inputs of all other tools are
 * a guess.
 */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /**
   * JSON Schema, for the client. `run` checks the values itself, to refuse them with the codes of the service document.
   */
  readonly inputSchema: {
    readonly type: 'object';
    readonly properties: Readonly<Record<string, object>>;
    readonly required?: string[];
  };
  readonly annotations: ToolHints;
  readonly scope?: string;
  /** Returns the result. Throws a Refusal. */
  readonly run: (call: ToolCall) => JsonObject;
}

/** The hints of the MCP standard, which a client may show before it calls a tool. */
export interface ToolHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  /** True if the tool reaches people outside of the account. */
  readonly openWorldHint: boolean;
}

/** Only reads data. */
export const READ_HINTS: ToolHints = { readOnlyHint: true, destructiveHint: false, openWorldHint: false };
/** Changes data of the account, and sends no mail. */
export const WRITE_HINTS: ToolHints = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };
/** Sends mail to single people. */
export const MAIL_HINTS: ToolHints = { readOnlyHint: false, destructiveHint: false, openWorldHint: true };
/** The hints of the two tools that send a campaign (service document, "What the service does"). */
export const AUDIENCE_MAIL_HINTS: ToolHints = { readOnlyHint: false, destructiveHint: true, openWorldHint: true };

export const STRING_SCHEMA = { type: 'string' } as const;
/** The page arguments of each tool that lists objects. */
export const PAGE_SCHEMA = {
  limit: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
  after: { type: 'string', description: 'next_cursor of the previous page' },
} as const;

/** What a tool passes to the endpoint that it mirrors. */
export interface RouteInput {
  /** The `{…}` parts of the path, in order. */
  readonly params?: readonly string[];
  /** The fields of the query. Only texts and numbers are used. */
  readonly query?: JsonObject;
  readonly body?: JsonObject;
}

/**
 * Runs the action of an endpoint, such as `GET /v1/audiences`, and returns the body of its response. Throws its
 * refusals.
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

/** Fields as a query. Null and undefined are left out. */
export function toQuery(fields: JsonObject): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && value !== null) {
      query.set(name, String(value));
    }
  }
  return query;
}
