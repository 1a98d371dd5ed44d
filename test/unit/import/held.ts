import { type HeldInputs, type HoldOptions, holdInputs } from '../../../src/import/source/input-copy.ts';

async function* nothing(): AsyncGenerator<Buffer> {}

/** Takes hold of inputs as a run does; what isn't given is as in a run without any trouble. */
export function held(
  paths: readonly string[],
  options: Pick<HoldOptions, 'cwd' | 'folder'> & Partial<HoldOptions>,
): Promise<HeldInputs> {
  const { signal } = new AbortController();
  return holdInputs(paths, { stdin: nothing(), signal, emit: () => {}, dryRun: false, ...options });
}
