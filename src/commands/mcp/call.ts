import { SvcError } from '../../base/lib/errors.ts';
import { EXIT, type ExitCode } from '../../base/lib/exit.ts';
import { safe, shellWord } from '../../base/lib/text.ts';
import { isDestructive, type ListedTool, toolResultText } from '../../render/lists/tools.ts';
import type { Invocation } from '../framework/invocation.ts';
import { print } from '../framework/output/print.ts';
import { type Arguments, enrollLine, readArguments } from './arguments.ts';
import { type McpSession, withMcp } from './session.ts';
import { problemOf } from './tool-problem.ts';
import { readTools } from './tools.ts';

/** Flags of `mcp call`. */
export interface CallFlags {
  readonly arguments: string;
  readonly confirm?: string;
}

const ENROLL = 'service_enroll_in_automation';

/** `mcp call`: one tool, once. A result that the tool itself marks as an error ends the command with its cause. */
export async function callTool(invocation: Invocation<CallFlags>): Promise<ExitCode> {
  const { args, flags, settings } = invocation;
  const name = args[0] ?? '';
  const given = readArguments(flags.arguments);
  if (name === ENROLL) {
    throw refusedEnrolment(given);
  }
  const result = await withMcp(invocation, async (session) => {
    assertMayCall(await readTools(session), name, flags);
    return callOnce(session, name, given);
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

// It could be given attributes (rule M1), keeps no journal, and has no key that makes a repeat safe.
function refusedEnrolment(given: Arguments): SvcError {
  return new SvcError(EXIT.refused, 'use_automations_enroll', `${ENROLL} is not called by hand; nothing was sent`, {
    hint: enrollLine(given),
  });
}

function assertMayCall(tools: readonly ListedTool[], name: string, flags: CallFlags): void {
  const found = tools.filter((tool) => tool.name === name);
  if (found.length === 0) {
    const names = tools.map((tool) => tool.name).join(', ');
    throw new SvcError(EXIT.usage, 'unknown_tool', `there is no tool ${safe(name)}`, { hint: `There are ${names}.` });
  }
  if (found.some(isDestructive) && flags.confirm !== name) {
    const given = flags.arguments === '{}' ? '' : ` --arguments ${shellWord(flags.arguments)}`;
    const tool = shellWord(name);
    throw new SvcError(EXIT.usage, 'not_confirmed', `${safe(name)} is marked destructive; it was not called`, {
      hint: `If you mean it: svc mcp call ${tool}${given} --confirm ${tool}`,
    });
  }
}

async function callOnce(session: McpSession, name: string, given: Arguments) {
  try {
    return await session.request('tools/call', { name, arguments: given });
  } catch (error) {
    throw error instanceof SvcError && IN_DOUBT.has(error.code) ? inDoubt(error, name) : error;
  }
}

const IN_DOUBT: ReadonlySet<string> = new Set(['no_answer', 'unexpected_answer', 'internal_error']);

function inDoubt({ exit, code, message, requestId }: SvcError, name: string): SvcError {
  const hint = `Nobody knows whether ${safe(name)} did its work: look before you call it again.`;
  return new SvcError(exit, code, message, { hint, requestId });
}
