import { resolve } from 'node:path';
import type { Context } from '../../../base/context.ts';
import { stateFolder } from '../../../runs/state-folder.ts';
import type { Settings } from './settings.ts';

/** The state folder of a command, absolute. */
export function stateOf(context: Context, settings: Settings): string {
  return resolve(context.cwd, stateFolder(context.env, settings.stateDir, context.platform.home));
}
