#!/usr/bin/env bash
# Builds, serves and tests Batchlab. Without a task it lists the tasks.
set -euo pipefail
cd "$(dirname "$0")"
# Without paths in what is compiled, checks, tests, the copy that the guide's test makes, and the page share it.
export GOFLAGS="${GOFLAGS:--trimpath}" CGO_ENABLED="${CGO_ENABLED:-0}"

tasks() {
  cat <<'TEXT'
./build.sh TASK
  serve   build everything and serve the lab on 127.0.0.1:8080 (or --addr HOST:PORT)
  build   build the page into dist/ and the command line into dist/bin/batchlab
  single  build the page as one file, dist/bin/batchlab.html, for a USB stick
  release build all that is handed out into release/: programs with the page inside, wheels, checksums (--twice: and once
          more in another folder, and compare the bytes)
  worker  build the share server for Cloudflare into edge/worker/build/
  test    run every check and test, in the browser too
  bench   measure speed, native and in the browser's worker
  papers  run the presets behind docs/papers.md's verdicts on the logs in a folder (hours; goes on where it stopped)
  agree   set programs that write out built-in schedulers beside these, on logs, natively, in Node and in Chromium (minutes)
  twin    compare N random documents with the plain simulator in twin/, written from docs/simulation-rules.md alone (default 1000)
  rows    read N damaged rows of each format of accounting beside a plain reader (default 1000000; ten minutes)
  gen     generate Go code from the .vugu components
  shots   take pictures of every view into e2e/out/shots (--docs: those of docs/, too; --firefox: as Firefox shows them)
  looks   measure that no text of the page is cut or lies on another, everywhere, with pictures in e2e/out/looks (--firefox: there)
  presets open every figure and table of the studies that is one experiment in the page, run it, and compare its digest (--full: on the logs)
  setup   check Go and Node, install the npm packages
  clean   remove what was built
BATCHLAB_LOGS=DIR lets the tests use real logs; CHROME=PATH and FIREFOX=PATH name the browsers (FIREFOX=none: tests in Chromium alone).
TEXT
}

say() { printf '%s\n' "$*"; }
fail() { printf 'build.sh: %s\n' "$*" >&2; exit 1; }

# need_tools checks that Go and Node are there and new enough.
need_tools() {
  command -v go >/dev/null || fail "Go is missing. Install Go 1.26 or newer: https://go.dev/dl/"
  command -v node >/dev/null || fail "Node is missing. Install Node 20 or newer: https://nodejs.org/"
  local v major minor
  v=$(cd / && GOTOOLCHAIN=local go env GOVERSION) || fail "Go does not run. Install Go 1.26 or newer: https://go.dev/dl/"
  v=${v#go}; v=${v%%[!0-9.]*}; major=${v%%.*}; minor=${v#*.}; minor=${minor%%.*}
  if ((major < 1 || (major == 1 && minor < 26))); then
    fail "Go $v is too old. Install Go 1.26 or newer: https://go.dev/dl/"
  fi
  v=$(node --version); v=${v#v}; major=${v%%.*}
  ((major >= 20)) || fail "Node $v is too old. Install Node 20 or newer: https://nodejs.org/"
}

setup() {
  need_tools
  command -v npm >/dev/null || fail "npm is missing. It comes with Node 20 or newer: https://nodejs.org/"
  local stamp=node_modules/.batchlab-lock
  if ! cmp -s package-lock.json "$stamp" 2>/dev/null; then
    say "Installing npm packages"
    npm ci --no-progress --loglevel=error
    cp package-lock.json "$stamp"
  fi
}

# need_shipped installs the npm packages that are shipped, unless they are there.
need_shipped() {
  local missing
  missing=$(node -e 'for (const [name, want] of Object.entries(require("./package.json").dependencies)) {
    let have = ""; try { have = JSON.parse(fs.readFileSync(`node_modules/${name}/package.json`)).version } catch {}
    if (have !== want) console.log(`${name} ${want}`) }')
  [[ -z $missing ]] && return
  [[ -L node_modules ]] && fail "node_modules is a link, and these packages are missing there: $missing"
  command -v npm >/dev/null || fail "npm is missing. It comes with Node 20 or newer: https://nodejs.org/"
  say "Installing the libraries that are shipped: $missing"
  npm ci --omit=dev --ignore-scripts --no-progress --loglevel=error
  rm -f node_modules/.batchlab-lock
}

gen() {
  need_tools
  go run ./ui/internal/gen ui
}

# commit names the sources: as git does, "+" behind it where files were changed;
# BATCHLAB_COMMIT where they come without git; nothing where that is not known.
commit() { printf '%s' "${BATCHLAB_COMMIT-$(git describe --always --exclude='*' --abbrev=12 --dirty=+ 2>/dev/null || true)}"; }

# program builds the command line for GOOS and GOARCH: the same bytes wherever it is
# done, if the sources and Go are the same.
program() { # OUT FLAG...
  local out=$1
  shift
  go build -trimpath -buildvcs=false -ldflags="-s -w -X batchlab/core/experiment.Commit=$(commit)" "$@" -o "$out" ./cmd/batchlab
}

bytes() { wc -c <"$1" | tr -d ' '; }

build() {
  need_tools
  need_shipped
  gen
  say "Building dist/"
  local new=dist.new vugu studies
  rm -rf "$new"
  mkdir -p "$new/bin" .cache
  program "$new/bin/batchlab"
  # Two programs: the page's, without the studies, and the studies' worker. The
  # second one's name holds its hash, so that a page never gets another build's.
  # Functions of the page's program are inlined only where it computes: that is a
  # tenth of the download. The second program has all of it.
  local lean=("-gcflags=all=-l") p
  for p in runtime internal/runtime/... batchlab/core/{expr,model,policy,resource,sim,sum,swf}; do lean+=("-gcflags=$p="); done
  GOOS=js GOARCH=wasm go build -trimpath -ldflags='-s -w' "${lean[@]}" -tags small -o "$new/app.wasm" ./wasm/app
  GOOS=js GOARCH=wasm go build -trimpath -ldflags='-s -w' -o "$new/studies.wasm" ./wasm/studies
  node .ci/join.mjs $([[ ${BATCHLAB_FAST:-} == 1 ]] && echo --lines) "$new/app.wasm" "$new/studies.wasm"
  studies=studies-$(node -p 'require("crypto").createHash("sha256").update(fs.readFileSync(process.argv[1])).digest("hex").slice(0, 8)' "$new/studies.wasm").wasm
  mv "$new/studies.wasm" "$new/$studies"
  cp "$(go env GOROOT)/lib/wasm/wasm_exec.js" "$new/"
  # The renderer's own script, without its debug lines, as a file of its own.
  vugu=$(go list -m -f '{{.Dir}}' github.com/vugu/vugu)
  grep -v '/\*DEBUG' "$vugu/domrender/renderer-js-script.js" >"$new/vugu.js"
  [[ -d static ]] && cp -R static/. "$new/"
  rm -f "$new"/lessons/*.go
  cp wasm/page/*.js wasm/page/boot.css wasm/worker/worker.js "$new/"
  local esbuild=(go tool esbuild --log-level=warning --allow-overwrite --minify --charset=utf8 --legal-comments=none --target=es2022)
  "${esbuild[@]}" "$new"/*.js "$new"/*.css --outdir="$new"
  # The library of QR codes with our glue, loaded when the first code is shown.
  go tool esbuild wasm/qr/qr.js --bundle --format=iife --outfile="$new/qr.js" --log-level=warning --minify --charset=utf8 --legal-comments=none \
    --target=es2022 --metafile=.cache/qr.json --banner:js='/*! qr, MIT: licences.txt */'
  # The editor for programs, loaded when it is first opened.
  go tool esbuild wasm/editor/editor.js --bundle --format=iife --outfile="$new/editor.js" --log-level=warning --minify --charset=utf8 --legal-comments=none \
    --target=es2022 --metafile=.cache/editor.json --banner:js='/*! CodeMirror, MIT: licences.txt */'
  node .ci/shipped.mjs licences .cache/qr.json .cache/editor.json >"$new/licences.txt"
  sed -e "s/@BYTES@/$(bytes "$new/app.wasm")/" -e "s/@STUDIES@/$studies/" -e "s/@STUDIESBYTES@/$(bytes "$new/$studies")/" -e "s/@COMMIT@/$(commit)/" \
    index.html >"$new/index.html"
  node .ci/offline.mjs "$new"
  node .ci/compress.mjs "$new" .cache/compressed
  rm -rf dist.old
  [[ -d dist ]] && mv dist dist.old
  mv "$new" dist
  rm -rf dist.old
}

single() {
  build
  node .ci/single.mjs dist dist/bin/batchlab.html
}

# release makes all that is handed out, from the sources alone: built again, in any
# folder, it has the same bytes.
release() { # [--twice]
  [[ -z ${BATCHLAB_FAST:-} ]] || fail "a release is packed as well as can be: unset BATCHLAB_FAST"
  command -v python3 >/dev/null || fail "Python 3 is missing: the wheels are packed with it"
  single
  local out=release.new version os arch at exe
  version=$(sed -n 's/^const Release = "\(.*\)"$/\1/p' core/experiment/engine.go)
  rm -rf "$out"
  mkdir -p "$out"
  for os in linux darwin windows; do
    for arch in amd64 arm64; do
      say "$os/$arch"
      at=$out/batchlab-$version-$os-$arch exe=batchlab
      [[ $os == windows ]] && exe=batchlab.exe
      mkdir -p "$at"
      GOOS=$os GOARCH=$arch program "$at/$exe" -tags page
      cp LICENSE dist/licences.txt README.md CITATION.cff "$at/"
    done
  done
  cp dist/bin/batchlab.html "$out/batchlab-$version.html"
  cp packaging/Containerfile packaging/batchlab.def "$out/"
  node .ci/shipped.mjs bom "$version" .cache/qr.json .cache/editor.json >"$out/batchlab-$version.cdx.json"
  python3 .ci/pack.py "$out" "$version"
  rm -rf release
  mv "$out" release
  [[ ${1:-} == --twice ]] && release_again
  (cd release && ls -l)
}

# release_again copies the sources to another folder, builds there, and compares.
release_again() {
  local other
  other=$(mktemp -d)
  say "Once more, in $other"
  git ls-files -z --cached --others --exclude-standard | tar --null -T - -cf - | tar -xf - -C "$other"
  ln -sfn "$(cd node_modules && pwd -P)" "$other/node_modules"
  (export BATCHLAB_COMMIT; BATCHLAB_COMMIT=$(commit); cd "$other" && ./build.sh release >/dev/null) || fail "it could not be built again in $other"
  diff -r release "$other/release" || fail "the second build differs: compare release/ and $other/release"
  rm -rf "$other"
  say "built twice in two folders, the same bytes"
}

# worker builds for Cloudflare. The generator of the start files first empties
# its folder.
worker() {
  need_tools
  (cd edge/worker && go tool workers-assets-gen -mode=go -o build >/dev/null &&
    GOOS=js GOARCH=wasm go build -trimpath -ldflags='-s -w' -o build/app.wasm .)
}

serve() {
  build
  exec dist/bin/batchlab serve --dist dist "$@"
}

# debian installs a program of Debian's, where that is possible.
debian() { # PACKAGE
  local sudo=""
  ((EUID == 0)) || sudo="sudo -n"
  command -v apt-get >/dev/null && { [[ -z $sudo ]] || $sudo true 2>/dev/null; } || return 1
  say "Installing $1 for the browser tests" >&2
  $sudo apt-get update -qq >&2 && $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$1" >&2
}

# found prints the path of the first of some programs that is there.
found() { # PROGRAM...
  local c
  for c in "$@"; do
    if command -v "$c"; then return; fi
  done
  return 1
}

# browser prints the path of a Chromium or Chrome, installing Debian's when
# there is none and that is possible. The tests' own is Debian's Chromium without
# windows, if it is there: pages are the same in it and take a fifth less.
browser() { # [tests]
  local own=chromium
  if [[ -n ${CHROME:-} ]]; then
    [[ -x $CHROME ]] || fail "CHROME=$CHROME is not a program"
    printf '%s\n' "$CHROME"; return
  fi
  [[ ${1:-} == tests ]] && own=chromium-headless-shell
  found "$own" chromium chromium-browser google-chrome google-chrome-stable \
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" "/Applications/Chromium.app/Contents/MacOS/Chromium" ||
    { debian "$own" && found "$own"; } || { debian chromium && found chromium; } ||
    fail "the browser tests need Chromium or Chrome: install it (Debian, Ubuntu: apt-get install chromium), or set CHROME to its path"
}

# firefox does the same for Firefox, and prints nothing where there is none: the
# tests in it are left out then, and say so.
firefox() {
  case ${FIREFOX:-} in
    none) return ;;
    ?*)
      [[ -x $FIREFOX ]] || fail "FIREFOX=$FIREFOX is not a program"
      printf '%s\n' "$FIREFOX"; return ;;
  esac
  found firefox-esr firefox /Applications/Firefox.app/Contents/MacOS/firefox || { debian firefox-esr && found firefox-esr; } || true
}

# step runs one check quietly and prints what it took, and its output only
# when it fails. Inside a check "set -e" does not hold: chain commands with &&.
step() { # NAME COMMAND...
  local name=$1 start=$SECONDS out
  shift
  if out=$("$@" 2>&1); then
    say "ok   $name ($((SECONDS - start)) s)"
  else
    say "FAIL $name ($((SECONDS - start)) s)"
    printf '%s\n' "$out"
    FAILED=1
  fi
}

check_format() {
  local bad
  bad=$(find . -name '*.go' -not -path './node_modules/*' -not -path './dist*' -exec gofmt -l {} +)
  [[ -z $bad ]] || { printf 'not formatted by gofmt:\n%s\n' "$bad"; return 1; }
}

# otherwise lists the packages that have other files as WebAssembly than here: all
# others are the same text, which was looked at. The page is always among them.
otherwise() {
  local list=(go list -f '{{.ImportPath}} {{.GoFiles}} {{.TestGoFiles}} {{.XTestGoFiles}}' ./core/... ./ui/... ./wasm/... ./edge/...)
  comm -13 <("${list[@]}" | sort) <(GOOS=js GOARCH=wasm "${list[@]}" | sort) | cut -d ' ' -f 1
}

check_vet() {
  local other
  other=$(otherwise) && [[ $other == *batchlab/wasm/page* ]] && go vet ./... && GOOS=js GOARCH=wasm go vet $other &&
    GOOS=js GOARCH=wasm go vet -tags small ./core/lab ./core/workload ./wasm/...
}

# The page's packages are looked at as they are in the browser, all others as
# they are here: what only the other of the two uses would seem unused.
check_static() {
  mkdir -p .cache &&
    go build -o .cache/staticcheck honnef.co/go/tools/cmd/staticcheck &&
    .cache/staticcheck $(go list ./... | grep -v '^batchlab/\(ui\|wasm\)') &&
    GOOS=js GOARCH=wasm .cache/staticcheck ./ui/... ./wasm/... ./edge/worker
}

# test_wasm runs the core's tests as wasm under Node: those of digits and of what
# differs there. That two ways of computing agree, what holds of any schedule (it is
# feasible, in its order, nothing peeks, what is told is what happened) is shown natively,
# and so is all of packages that make no digits of their own, and what documents may say: once digits agree it
# follows. What real logs give for legrand2018 in the browser is
# in e2e/studies.test.mjs; recorded runs are played on the command line alone. The
# environment is cut down because Go's wasm start code has little room for it.
test_wasm() {
  env -i PATH="$PATH" HOME="$HOME" GOFLAGS="$GOFLAGS" ${GOCACHE:+GOCACHE="$GOCACHE"} ${GOPATH:+GOPATH="$GOPATH"} \
    ${GOPROXY:+GOPROXY="$GOPROXY"} ${BATCHLAB_LOGS:+BATCHLAB_LOGS="$BATCHLAB_LOGS"} \
    GOOS=js GOARCH=wasm go test -short -vet=off -timeout 2h \
    -skip 'Agree|Twin|NoAllocation|PresetPieces|PresetsAreDocuments|HaveExamples|BesideTheDesk|BesideReservations|LegrandTable2|LegrandThresholds|CountedIsNodesOfOne|NothingIsUsedTwice|DoesNotPeek|PassesOverNothing|RealLogComesBack|IsTheSchedule|FollowsFromTheSchedule|ReckonsWithTheSlowest|Feasible|AreHonoured|GuardHolds|LongQueueIsHeardOf|PromisedIsTold|SceneIsTheRun|ConfRows|MutatedLinksAndBodies|LessonDamaged|FairShareOrders|ConservativeOrders|ToldIsKnown|StoppedWithin|DrawsAreDeclared|Nobody|AreTheirRules|StepsForthAndBack|SpellingsOfAGrid|GridIsItsDesk|AreAFormOnly|PlanOfAnInstant|WhenMap|WhenRivals|OnePass|BasisIsOfThePrediction|TheLongestOutage|TestFollow$|RowsHold|ItemsOfManyPoints|LongLists|TestDepth|HopelessMoves|BoundsOfMoves' \
    -exec="$(go env GOROOT)/lib/wasm/go_js_wasm_exec" $(go list ./core/... | grep -Ev '/(recorded|lesson|catalog|eligible|reserve|intake)$') ./wasm/bridge/...
}

# test_slurm shares a sweep out to a real Slurm on this computer, and records a run of
# one to hold core/slurm against, and says why where it cannot be had.
test_slurm() {
  local start=$SECONDS out why
  out=$(BATCHLAB_SLURM=1 go test -vet=off -timeout 2h ./cmd/batchlab -run TestRealSlurm -count=1 -v 2>&1) || {
    say "FAIL a sweep and a recording on a real Slurm ($((SECONDS - start)) s)"
    printf '%s\n' "$out"
    return 1
  }
  why=$(sed -n 's/.*left out: /left out: /p' <<<"$out" | head -n 1)
  say "ok   a sweep and a recording on a real Slurm ($((SECONDS - start)) s)${why:+, $why}"
}

# test_go runs the Go tests, natively and as wasm; check_vet was before them.
test_go() {
  step "go test" go test -vet=off -timeout 2h ./...
  step "go test of what the page's program leaves out" go test -vet=off -tags small -run TestStudies ./core/lab
  step "core tests as wasm under Node" test_wasm
  ((FAILED == 0))
}

test_browser() {
  local chrome fox
  chrome=$(browser tests) || exit 1
  fox=$(firefox) || exit 1
  [[ -n $fox ]] || say "left out: the browser tests that run in Firefox, too (Debian: apt-get install firefox-esr, elsewhere FIREFOX=PATH)"
  CHROME=$chrome FIREFOX=$fox node e2e/run.mjs
}

run_tests() {
  FAILED=0
  setup
  step "gofmt" check_format
  step "go.mod is tidy" go mod tidy -diff
  step "generated code is up to date" go run ./ui/internal/gen -check ui
  step "go vet, native and js" check_vet
  step "staticcheck, native and js" check_static
  if ((FAILED)); then
    say "the tests were left out: something before them failed"
    exit 1
  fi
  # Three lanes side by side, so that no core is idle while one of them waits: Slurm
  # waits most of its time, browser tests often.
  local lane lanes=()
  test_slurm & lanes+=($!)
  (test_go) & lanes+=($!)
  (BATCHLAB_FAST=second step "build" ./build.sh build; ((FAILED == 0)) && test_browser) & lanes+=($!)
  for lane in "${lanes[@]}"; do wait "$lane" || FAILED=1; done
  ((FAILED == 0))
}

bench() {
  build
  setup
  go test -run '^$' -bench . -benchmem ./bench "$@"
  local chrome
  chrome=$(browser) || exit 1
  CHROME=$chrome node e2e/bench.mjs
}

# papers runs in full the presets whose numbers docs/papers.md and docs/papers/ hold, or those
# named, one after the other on one core, and writes its tables anew. What is in
# .cache/papers already is not run again.
papers() {
  local dir=${1:-${BATCHLAB_LOGS:-}} out=.cache/papers key wanted
  [[ -d $dir ]] || fail "where are the logs? ./build.sh papers FOLDER [KEY...]"
  shift || true
  mkdir -p "$out/results"
  go build -o "$out/batchlab" ./cmd/batchlab
  (($#)) || set -- $(node -p 'Object.keys({ ...require("./docs/verdicts.json"), ...require("./docs/results.json") }).join("\n")')
  for key in "$@"; do
    [[ -s $out/results/$key.json ]] && continue
    wanted=${key#*@} wanted=${wanted//+/ } # KEY@LOG or KEY@LOG+LOG: on other logs than its own
    [[ $key == *@* ]] || wanted=$("$out/batchlab" paper | node -e 'const p = JSON.parse(require("fs").readFileSync(0)).presets.find((p) => p.key === process.argv[1]); console.log((p.log || "").replace(" and ", ", ").split(", ").reverse().join(" "))' "$key")
    local logs=() name file
    for name in $wanted; do # klusacek2016 takes KTH-SP2, HPC2N, CERIT-SC in this order
      for file in "$dir/$name"*; do
        [[ -f $file ]] && logs+=(--log "$file")
      done
    done
    say "$key ${logs[*]}"
    "$out/batchlab" paper "${key%@*}" "${logs[@]}" --parallel 1 >"$out/result.json" || fail "$key could not be run"
    mv "$out/result.json" "$out/results/$key.json"
  done
  go test ./core/paper -run 'TestVerdicts|TestPapersPage' -update -results "$PWD/$out/results"
  go test ./core/paper -run 'TestPapersOfThePage|TestResultsOfThePage' -update
}

pictures() { # SCRIPT [ARGUMENT]...
  build
  setup
  local chrome fox
  chrome=$(browser) || exit 1
  fox=$(firefox) || exit 1
  CHROME=$chrome FIREFOX=$fox node "$@"
}

# agree sets the programs of examples/schedulers beside the built-in schedulers
# that they write out, on logs, natively, in Node and in Chromium.
agree() {
  [[ -d ${BATCHLAB_LOGS:-} ]] || fail "where are the logs? BATCHLAB_LOGS=FOLDER ./build.sh agree"
  go test ./core/lab -run ProgramsAgree -count=1 -v | grep -- '---'
  pictures e2e/agree.mjs "$@"
}

# twin sets N random documents before the engine and before the second implementation;
# further words go to twin/compare.py (--seed S, --keys KEY...).
twin() {
  local count=1000
  [[ ${1:-} =~ ^[0-9]+$ ]] && { count=$1; shift; }
  mkdir -p .cache
  go build -o .cache/batchlab ./cmd/batchlab
  python3 twin/compare.py --batchlab .cache/batchlab --count "$count" "$@"
}

# rows holds the readers of accounting to plain ones on N rows of each format in which
# bytes are wrong.
rows() { BATCHLAB_ROWS="${1:-1000000}" go test ./core/intake -run MutatedFormats -count=1 -timeout 2h -v | grep -E 'rows:|^ok|---'; }

shots() { pictures e2e/screenshots.mjs "$@"; }
looks() { pictures e2e/looks.mjs "$@"; }
presets() { pictures e2e/presets.mjs "$@"; }

clean() { rm -rf dist dist.new dist.old release release.new .cache e2e/out; }

case "${1:-}" in
  "" | help | -h | --help) tasks ;;
  setup | gen | build | single | release | worker | serve | bench | papers | agree | twin | rows | shots | looks | presets | clean) task=$1; shift; "$task" "$@" ;;
  test) shift; run_tests "$@" ;;
  *) tasks >&2; fail "no task called $1" ;;
esac
