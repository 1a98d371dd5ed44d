import { EXIT, type ExitCode } from '../../base/lib/exit.ts';
import { toolsTable } from '../../render/lists/tools.ts';
import type { Invocation } from '../framework/invocation.ts';
import { print } from '../framework/output/print.ts';
import { withMcp } from './session.ts';
import { readTools } from './tools.ts';

/** `mcp ls`: every tool of the endpoint. */
export async function listTools(invocation: Invocation<unknown>): Promise<ExitCode> {
  print(invocation, await withMcp(invocation, readTools), toolsTable);
  return EXIT.ok;
}
