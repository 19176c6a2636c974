#!/bin/sh
# Builds assets/pocketsphinx.wasm and packs the acoustic model and the dictionary beside it, from Debian's source
# packages of sphinxbase and pocketsphinx. Needs, on Debian 12:
#   apt-get install clang-14 lld-14 wasi-libc libclang-rt-14-dev-wasm32 dpkg-dev nodejs
# The results are committed: users and CI need none of this.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
assets=$(cd "$here/../../assets" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# The machine's own package sources, with their deb-src twins, apart from its package lists.
mkdir -p sources lists/partial
for list in /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources; do
  if [ -f "$list" ]; then
    sed -e 's/^Types: deb$/Types: deb-src/' -e 's/^deb /deb-src /' "$list" >"sources/$(basename "$list")"
  fi
done
[ ! -f sources/sources.list ] || mv sources/sources.list sources/main.list
apt="-o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts=$work/sources -o Dir::State::Lists=$work/lists"
apt-get $apt -o APT::Sandbox::User=root update
apt-get $apt -o APT::Sandbox::User=root source --download-only sphinxbase pocketsphinx
# Upstream's sources as they are: Debian's patches have another licence.
dpkg-source --no-check --skip-patches -x sphinxbase_*.dsc base
dpkg-source --no-check --skip-patches -x pocketsphinx_*.dsc sphinx

flags="--target=wasm32-wasi --sysroot=/usr -O3 -msimd128 -ffast-math -w -DHAVE_CONFIG_H -DMODELDIR=\"/model\"
  -D_WASI_EMULATED_MMAN -D_WASI_EMULATED_SIGNAL -D_WASI_EMULATED_PROCESS_CLOCKS
  -I$here/include -Ibase/include -Ibase/src/libsphinxbase/fe -Ibase/src/libsphinxbase/feat
  -Ibase/src/libsphinxbase/lm -Isphinx/include -Isphinx/src/libpocketsphinx"
for source in base/src/libsphinxbase/fe/*.c base/src/libsphinxbase/feat/*.c base/src/libsphinxbase/lm/*.c \
  base/src/libsphinxbase/util/*.c sphinx/src/libpocketsphinx/*.c "$here/decoder.c"; do
  case $source in */sbthread.c) continue ;; esac # threads, which nothing here uses
  clang-14 $flags -c "$source" -o "$(basename "$(dirname "$source")")-$(basename "$source" .c).o"
done
wasm-ld-14 -m wasm32 -L/usr/lib/wasm32-wasi /usr/lib/wasm32-wasi/crt1-reactor.o ./*.o \
  -lc -lm -lwasi-emulated-mman -lwasi-emulated-signal -lwasi-emulated-process-clocks \
  "$(find /usr/lib -name 'libclang_rt.builtins-wasm32.a' | head -1)" \
  --entry=_initialize --gc-sections --strip-all -z stack-size=1048576 -o "$assets/pocketsphinx.wasm"

node "$here/pack-model.mjs" "$work/sphinx/model/en-us" "$assets"
ls -l "$assets"
