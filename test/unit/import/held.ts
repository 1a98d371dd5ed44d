import { type HeldInputs, type HoldOptions, holdInputs } from '../../../src/import/source/input-copy.ts';

async function* nothing(): AsyncGenerator<Buffer> {}

/** Holds inputs as a run does. Missing options are those of a run without problems. */
export function held(
  paths: readonly string[],
  options: Pick<HoldOptions, 'cwd' | 'folder'> & Partial<HoldOptions>,
): Promise<HeldInputs> {
  const { signal } = new AbortController();
  return holdInputs(paths, { stdin: nothing(), signal, emit: () => {}, dryRun: false, ...options });
}
