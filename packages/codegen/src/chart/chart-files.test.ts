import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { ROOT } from '../write-generated.ts';
import { CHART, chartFiles, plainManifests, VALUE_FILES } from './chart-files.ts';
import { helm } from './helm.ts';

const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');

describe('the Helm chart', () => {
  it('has up-to-date generated files; `npm run chart` regenerates them', async () => {
    for (const [name, text] of await chartFiles()) assert.equal(read(name), text, name);
  });

  it('matches deploy/kubernetes/gatehouse.yaml; `npm run chart` regenerates it', () => {
    const [name, text] = plainManifests();
    assert.equal(read(name), text);
  });

  for (const values of VALUE_FILES)
    it(`passes helm lint with ${values}`, () =>
      helm('lint', '--strict', '--quiet', CHART, '--values', values));

  const refused: [string, string[], RegExp][] = [
    ['nothing given', [], /issuer[^]*pattern/],
    ['a setting that no service has', least('--set', 'settings.SESION_MAX_SECONDS=1'), /SESION_MAX_SECONDS/],
    ['a setting of another component', least('--set', 'portal.settings.SELF_REGISTRATION=open'), /SELF_REG/],
    ['a value that the service would refuse', least('--set', 'core.settings.BCRYPT_COST=99'), /maximum/],
    ['a secret among settings', least('--set', 'core.settings.TOKEN_SECRET=x'), /TOKEN_SECRET/],
    ['an image that changes below one', least('--set', 'image.tag=latest'), /image\/tag/],
    ['no bounds', least('--set', 'core.resources.limits.memory=null'), /limits[^]*memory/],
    ['no addresses of pods', least('--set-json', 'podRanges=[]'), /podRanges[^]*minItems/],
    ['a name that nothing reads', least('--set', 'replicas=3'), /replicas/],
  ];
  for (const [what, given, reason] of refused)
    it(`refuses ${what}`, () =>
      assert.throws(() => helm('template', 'gatehouse', CHART, ...given), { stderr: reason }));
});

function least(...more: string[]): string[] {
  return ['--values', `${CHART}/ci/least.yaml`, ...more];
}
