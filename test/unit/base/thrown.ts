import { SvcError } from '../../../src/base/lib/errors.ts';

/** The fields of an SvcError that the function throws, to compare as one value. Other errors are rethrown. */
export function thrownBy(fn: () => unknown): { exit: number; code: string; message: string; hint: string | undefined } {
  try {
    fn();
  } catch (error) {
    return describeError(error);
  }
  throw new Error('nothing was thrown');
}

/** The fields of the SvcError with which a promise rejects, to compare as one value. */
export async function rejectionOf(promise: Promise<unknown>): Promise<ReturnType<typeof thrownBy>> {
  return promise.then(
    () => {
      throw new Error('nothing was thrown');
    },
    (error) => describeError(error),
  );
}

function describeError(error: unknown): ReturnType<typeof thrownBy> {
  if (error instanceof SvcError) {
    const { exit, code, message, hint } = error;
    return { exit, code, message, hint };
  }
  throw error;
}
