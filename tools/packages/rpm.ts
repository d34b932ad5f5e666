import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DESCRIPTION,
  HOMEPAGE,
  MAINTAINER,
  NAME,
  packageVersion,
  RPM_ARCHES,
  RPM_REQUIRES,
  SUMMARY,
} from './metadata.ts';
import type { UnpackedProgram } from './program.ts';
import { PACKAGING, PROGRAM_FOLDER } from './tree.ts';

/** Pattern of the libraries next to the program, which are neither required from the system nor provided to other programs. */
const OWN_LIBRARIES = '^lib(ffmpeg|EGL|GLESv2|vk_swiftshader|vulkan)\\.so.*$';

/**
 * Makes an rpm from a tree with all files. Returns the path of the rpm. Must run before `makeDeb`, which changes the tree. Requires
 * rpmbuild.
 */
export function makeRpm(options: {
  program: UnpackedProgram;
  tree: string;
  outFolder: string;
  compression: 'xz' | 'gzip';
}): string {
  const { program, tree, outFolder, compression } = options;
  const work = mkdtempSync(join(tmpdir(), 'pickstation-rpm-'));
  try {
    const spec = join(work, `${NAME}.spec`);
    writeFileSync(spec, specFile(program, tree));
    mkdirSync(outFolder, { recursive: true });
    const arch = RPM_ARCHES[program.arch];
    const defines = {
      _topdir: work,
      _rpmdir: outFolder,
      _rpmfilename: '%{NAME}-%{VERSION}.%{ARCH}.rpm',
      // The time of SOURCE_DATE_EPOCH, if it is set.
      use_source_date_epoch_as_buildtime: '1',
      clamp_mtime_to_source_date_epoch: '1',
      _buildhost: 'localhost',
      _binary_payload: compression === 'xz' ? 'w6T0.xzdio' : 'w1.gzdio',
    };
    execFileSync(
      'rpmbuild',
      [
        '-bb',
        '--quiet',
        `--target=${arch}`,
        ...Object.entries(defines).flatMap(([name, value]) => ['--define', `${name} ${value}`]),
        spec,
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    return join(outFolder, `${NAME}-${packageVersion(program.version)}.${arch}.rpm`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Returns the spec file. The files of the tree are final, so rpmbuild must not compile, strip or change anything. */
function specFile(program: UnpackedProgram, tree: string): string {
  const script = (name: string): string => readFileSync(join(PACKAGING, name), 'utf8').replaceAll('%', '%%');
  return `
%global debug_package %{nil}
%global __os_install_post %{nil}
%global _build_id_links none
%global __requires_exclude ${OWN_LIBRARIES.replaceAll('\\', '\\\\')}
%global __provides_exclude_from ^/${PROGRAM_FOLDER}/.*$
Name: ${NAME}
Version: ${packageVersion(program.version)}
Release: 1
Summary: ${SUMMARY}
License: MIT
Vendor: ${MAINTAINER}
${HOMEPAGE === undefined ? '' : `URL: ${HOMEPAGE}`}
${RPM_REQUIRES.map((name) => `Requires: ${name}`).join('\n')}

%description
${DESCRIPTION.join('\n')}

%install
cp -al ${tree}/. %{buildroot}/ 2>/dev/null || cp -a ${tree}/. %{buildroot}/

%post
${script('postinst')}

%postun
${script('postrm')}

%files
%defattr(-,root,root,-)
/${PROGRAM_FOLDER}
%attr(4755,root,root) /${PROGRAM_FOLDER}/chrome-sandbox
/usr/bin/${NAME}
/usr/lib/systemd/user/${NAME}.service
/usr/lib/udev/rules.d/70-pickstation.rules
/usr/share/applications/${NAME}.desktop
/usr/share/doc/${NAME}
/usr/share/icons/hicolor/*/apps/${NAME}.png
/usr/share/man/man1/${NAME}.1.gz
`;
}
