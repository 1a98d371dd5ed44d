import { shellFile, shellWord } from '../../base/lib/text.ts';
import { importsContacts } from '../../run-lifecycle/data/run-options.ts';
import { type RunHeader, writtenAudienceId } from '../../runs/store/run-header.ts';
import { readingFlagsOf } from './reading-flags.ts';

/**
 * The command that compares the whole list of a run with its audience. For an import of files it is `svc runs verify`.
 * For an enrollment it is `svc contacts check`. For a list from standard input it is `svc contacts check` too, because
 * svc deletes its copy of that list.
 */
export function commandToCompare(header: RunHeader): string {
  const { run, command, inputs } = header;
  if (importsContacts(command) && inputs.every(({ original }) => original !== undefined)) {
    return `svc runs verify ${run}`;
  }
  const lists = inputs.flatMap(({ path, original }) => (original === undefined ? [] : [shellFile(path)]));
  const id = writtenAudienceId(header);
  return [
    'svc contacts check',
    ...(lists.length === inputs.length && lists.length > 0 ? lists : ['<list>']),
    ...(id === undefined ? [] : ['--audience', shellWord(id)]),
    ...readingFlagsOf(header.typed),
  ].join(' ');
}
