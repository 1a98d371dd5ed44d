import { ApiError } from '../../api/http/api-error.ts';
import { EXIT, type ExitCode, SvcError } from '../../base/lib/errors.ts';
import { isRecord, parseJson } from '../../base/lib/json.ts';
import { shellCommand, shellFlag, terminalSafe } from '../../base/lib/text.ts';
import { isDestructive, type ListedTool, textsOf, toolResultText, toolsTable } from '../../render/lists/tools.ts';
import { ERRORS } from '../../wire/service-words.ts';
import type { Invocation } from '../framework/invocation.ts';
import { checkLsFlags, type LsFlags } from '../framework/output/ls-flags.ts';
import { print } from '../framework/output/print.ts';
import { printList } from '../framework/output/print-list.ts';
import { type McpSession, withMcp } from './session.ts';
import { readTools } from './tool-list.ts';

export async function listTools(invocation: Invocation<LsFlags>): Promise<ExitCode> {
  checkLsFlags(invocation);
  await printList(invocation, await withMcp(invocation, readTools), toolsTable);
  return EXIT.ok;
}

interface CallFlags {
  readonly arguments: string;
  readonly confirm?: string;
}

const ENROLL = 'service_enroll_in_automation';

/** `svc mcp call`: calls one tool, once. Fails if the tool marks its result as an error. */
export async function callTool(invocation: Invocation<CallFlags>): Promise<ExitCode> {
  const { args, flags, settings } = invocation;
  const name = args[0] ?? '';
  const toolArguments = readArguments(flags.arguments);
  if (name === ENROLL) {
    throw refusedEnrollment(toolArguments);
  }
  const result = await withMcp(invocation, async (session) => {
    assertMayCall(await readTools(session), name, flags);
    return callOnce(session, name, toolArguments);
  });
  const problem = problemOf(name, result);
  if (settings.output.json || problem === undefined) {
    print(invocation, result, toolResultText);
  }
  if (problem !== undefined) {
    throw problem;
  }
  return EXIT.ok;
}

// The error for the enroll tool. svc never calls it, for two reasons: it takes attributes, which sign people up (M1),
// and a repeat could enroll a person twice. The hint is the svc command that enrolls.
function refusedEnrollment(toolArguments: Fields): SvcError {
  return new SvcError(EXIT.refused, 'use_automations_enroll', `${ENROLL} is not called by hand; nothing was sent`, {
    hint: enrollLine(toolArguments),
  });
}

function assertMayCall(tools: readonly ListedTool[], name: string, flags: CallFlags): void {
  const found = tools.filter((tool) => tool.name === name);
  if (found.length === 0) {
    const nameList = tools.map((tool) => tool.name).join(', ');
    throw new SvcError(EXIT.usage, 'unknown_tool', `there is no tool ${terminalSafe(name)}`, {
      hint: `The tools are ${nameList}.`,
    });
  }
  if (found.some(isDestructive) && flags.confirm !== name) {
    const argumentsFlag = flags.arguments === '{}' ? [] : [shellFlag('--arguments', flags.arguments)];
    const call = shellCommand('svc mcp call', name, [...argumentsFlag, shellFlag('--confirm', name)]);
    throw new SvcError(EXIT.usage, 'not_confirmed', `${terminalSafe(name)} is marked destructive; it was not called`, {
      hint: `If you mean it: ${call}`,
    });
  }
}

async function callOnce(session: McpSession, name: string, toolArguments: Fields) {
  try {
    return await session.request('tools/call', { name, arguments: toolArguments });
  } catch (error) {
    throw error instanceof SvcError && isOutcomeUnknown(error) ? outcomeUnknownError(error, name) : error;
  }
}

// A refusal has another exit code than 1; only a 429 has exit code 1 too. After any other error with exit code 1, such
// as a redirect or a 503, the tool may have run.
function isOutcomeUnknown({ exit, cause }: SvcError): boolean {
  return exit === EXIT.failed && !(cause instanceof ApiError && cause.status === 429);
}

function outcomeUnknownError({ exit, code, message, requestId }: SvcError, name: string): SvcError {
  const hint = `It is unknown whether ${terminalSafe(name)} took effect: check before you call it again.`;
  return new SvcError(exit, code, message, { hint, requestId });
}

/** Parses --arguments. Throws a usage error if it is not a JSON object. */
function readArguments(text: string): Fields {
  const value = parseJson(text);
  if (!isRecord(value)) {
    throw new SvcError(EXIT.usage, 'invalid_arguments', '--arguments takes a JSON object', {
      hint: `For example:\n--arguments '{"limit":10}'`,
    });
  }
  return value;
}

/** The svc command that enrolls the person whom these arguments name. */
function enrollLine({ automation_id, email }: Fields): string {
  const person = typeof email === 'string' ? shellFlag('--email', email) : '--email <address>';
  const command = 'svc automations enroll';
  return typeof automation_id === 'string'
    ? shellCommand(command, automation_id, [person])
    : `${command} <automation_id> ${person}`;
}

type Fields = Readonly<Record<string, unknown>>;

/** The error of a result with `isError`, otherwise undefined. An error code that svc knows decides the exit code. */
function problemOf(tool: string, result: Fields): SvcError | undefined {
  if (result.isError !== true) {
    return undefined;
  }
  const [first = ''] = textsOf(result);
  const error = envelopeOf(result.structuredContent) ?? envelopeOf(parseJson(first));
  if (error === undefined || typeof error.code !== 'string') {
    return new SvcError(EXIT.stopped, 'tool_failed', `${tool}: ${first || 'the tool failed without a message'}`);
  }
  const { code } = error;
  const refusal = {
    status: statusOf(code),
    code,
    message: textOf(error.message) ?? 'the service gave no message',
    param: textOf(error.param),
    requestId: textOf(error.request_id),
  };
  return new ApiError(refusal, EXITS.get(code));
}

// Error codes that have another exit code here than for the REST API. A wrong id is a usage error, the others are
// failures.
const EXITS: ReadonlyMap<string, ExitCode> = new Map([
  ['not_found', EXIT.usage],
  ['rate_limit_exceeded', EXIT.failed],
  ['internal_error', EXIT.failed],
]);

function envelopeOf(value: unknown): Fields | undefined {
  const error = isRecord(value) ? value.error : undefined;
  return isRecord(error) ? error : undefined;
}

/** The HTTP status that the REST API has for an error code. svc needs it, because a tool returns no status. */
function statusOf(code: string): number {
  const row = Object.entries(ERRORS).find(([known]) => known === code)?.[1];
  return row?.statuses[0] ?? 400;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
