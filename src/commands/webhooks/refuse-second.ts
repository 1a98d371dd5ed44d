import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { hashPlain } from '../../base/lib/hash.ts';
import { knownRuns } from '../../runs/find/list.ts';
import { viewRun } from '../../runs/store/journal.ts';

/** A creation about to be made. */
export interface Creation {
  readonly command: string;
  readonly origin: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/**
 * Refuses to create an endpoint for a URL while another creation of it is in doubt: it would get two, and every event
 * twice. The very same creation is no second one; it is gone on with.
 */
export function refuseSecond(state: string, { command, origin, options }: Creation): void {
  const same = knownRuns(state).filter((run) => !run.finished && run.command === command && run.origin === origin);
  const atWork = same.find(({ run, status }) => status === 'running' && optionsOf(state, run).url === options.url);
  if (atWork) {
    throw new SvcError(EXIT.busy, 'busy', `${atWork.run} is creating this endpoint right now`, { hint: 'svc runs ls' });
  }
  const other = same.find(({ run }) => isOtherOf(optionsOf(state, run), options));
  if (other) {
    throw new SvcError(
      EXIT.usage,
      'creation_in_doubt',
      `an earlier creation of this endpoint is in doubt: ${other.run}`,
      {
        hint: `Go on with it: svc runs resume ${other.run}\nOr forget it: svc runs delete ${other.run} --confirm ${other.run}`,
      },
    );
  }
}

function isOtherOf(earlier: Creation['options'], options: Creation['options']): boolean {
  return earlier.url === options.url && hashPlain(earlier) !== hashPlain(options);
}

function optionsOf(state: string, run: string): Creation['options'] {
  const journal = viewRun(state, run);
  try {
    return journal.header.options;
  } finally {
    journal.close();
  }
}
