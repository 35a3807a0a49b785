// Prints the bill of materials (CycloneDX) of the package: what an installation brings on any platform, and what the build
// has put into dist/. `npm sbom` takes the second for tools of the development, and would name those as well.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
const licences = readFileSync('dist/THIRD-PARTY-LICENSES.txt', 'utf8');
const bundled = new Set([...licences.matchAll(/^== (\S+@\S+) \(/gm)].map(([, reference]) => reference));
const flags = ['--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
const all = JSON.parse(
  execFileSync('npm', ['sbom', ...flags], { encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 }),
);

const components = all.components.filter((one) => bundled.has(`${one.name}@${one.version}`) || !isTool(one));
const kept = new Set([`${name}@${version}`, ...components.map((one) => one['bom-ref'])]);
const dependencies = all.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => kept.has(each)) }));
const metadata = { ...all.metadata, component: { ...all.metadata.component, name } };
process.stdout.write(`${JSON.stringify({ ...all, metadata, components, dependencies }, null, 2)}\n`);

function isTool({ properties }) {
  return properties.some((property) => property.name === 'cdx:npm:package:development');
}
