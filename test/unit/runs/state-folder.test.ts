import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createStateFolder, runFiles, stateFolderPath } from '../../../src/runs/store/state-folder.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { thrownBy } from '../base/thrown.ts';

const HOME = '/home/ana';

describe('the state folder', () => {
  test.each([
    ['the flag comes before all', { SVC_STATE_DIR: '/env', XDG_STATE_HOME: '/xdg' }, '/flag', '/flag'],
    ['SVC_STATE_DIR comes before XDG_STATE_HOME', { SVC_STATE_DIR: '/env', XDG_STATE_HOME: '/xdg' }, undefined, '/env'],
    [
      'XDG_STATE_HOME comes before the home folder',
      { SVC_STATE_DIR: '', XDG_STATE_HOME: '/xdg' },
      undefined,
      '/xdg/svc',
    ],
    ['the home folder comes last', {}, undefined, '/home/ana/.local/state/svc'],
    ['an empty XDG_STATE_HOME is ignored', { XDG_STATE_HOME: '' }, undefined, '/home/ana/.local/state/svc'],
    ['a relative XDG_STATE_HOME is ignored', { XDG_STATE_HOME: 'xdg' }, undefined, '/home/ana/.local/state/svc'],
  ])('finds the state folder in this order: %s', (_, env, flag, folder) => {
    expect(stateFolderPath(env, flag, HOME)).toBe(folder);
  });

  test('fails without a home folder, and names the setting for the state folder', () => {
    expect(thrownBy(() => stateFolderPath({}, undefined, undefined))).toEqual({
      exit: 2,
      code: 'no_state_folder',
      message: 'svc has no folder for its runs, because the home folder is unknown',
      hint: 'Name a folder with --state-dir <dir> or SVC_STATE_DIR',
    });
  });
});

test('makes the state folder private (0700), also when it was open before (D6)', () => {
  const state = join(tempFolder(), 'state');
  const folders = ['', 'runs', 'locks', 'ledgers'].map((name) => join(state, name));
  for (const folder of folders.slice(0, 2)) {
    mkdirSync(folder);
    chmodSync(folder, 0o755);
  }
  createStateFolder(state);
  expect(folders.map((folder) => statSync(folder).mode & 0o777)).toEqual([0o700, 0o700, 0o700, 0o700]);
});

test.each(['../../etc', 'run_/..', '', 'list', 'run_\u001b'])('refuses the run id %j in a path (K2)', (run) => {
  expect(thrownBy(() => runFiles('/state', run))).toEqual({
    exit: 2,
    code: 'run_not_found',
    message: `not a run id: ${JSON.stringify(run)}`,
    hint: 'See: svc runs ls',
  });
});
