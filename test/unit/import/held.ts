import type { CopyInputsOptions } from '../../../src/import/source/copy-one-input.ts';
import { copyInputs, type RunInputs } from '../../../src/import/source/input-copies.ts';

async function* nothing(): AsyncGenerator<Buffer> {}

/** Copies or checks the inputs as a run does. The default options are those of a run without problems. */
export function held(
  paths: readonly string[],
  options: Pick<CopyInputsOptions, 'cwd' | 'folder'> & Partial<CopyInputsOptions>,
): Promise<RunInputs> {
  const { signal } = new AbortController();
  return copyInputs(paths, { stdin: nothing(), signal, emit: () => {}, clock: Date, dryRun: false, ...options });
}
