import type { Caller, Context, JsonObject } from '../context.ts';

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
