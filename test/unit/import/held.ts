import { type HeldInputs, type HoldOptions, holdInputs } from '../../../src/import/source/input-copy.ts';

async function* nothing(): AsyncGenerator<Buffer> {}

/** Copies or checks the inputs as a run does. The default options are those of a run without problems. */
export function held(
  paths: readonly string[],
  options: Pick<HoldOptions, 'cwd' | 'folder'> & Partial<HoldOptions>,
): Promise<HeldInputs> {
  const { signal } = new AbortController();
  return holdInputs(paths, { stdin: nothing(), signal, emit: () => {}, dryRun: false, ...options });
}
