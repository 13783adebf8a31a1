# shellcheck shell=bash
# Shared functions of the other scripts. Source this file; don't run it.

# Every script runs in the root of the repository, wherever it was started.
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# The default traits of debug builds: all but AsyncHTTPClient (Package.swift). All scripts use the same set, because another set rebuilds everything.
export ALTER_EVERYTHING=yes
# The traits for optimised builds.
# shellcheck disable=SC2034  # used by the scripts that source this
TRAITS_WITHOUT_MACROS=(--traits SQLite,InspectorServer,Postgres,Service,SyncServer)
# The options of debug builds in scripts: without data for a debugger, which `swift build` makes and which take a sixth of the time. (The index of
# symbols, which takes about as much, is needed: the package manager finds XCTest's tests in it.)
# shellcheck disable=SC2034  # used by the scripts that source this
DEBUG=(-debug-info-format none)
# The package of the examples uses the same build folder, and with the variable EXAMPLE_TESTS the same traits of Alter: shared modules are built once.
# shellcheck disable=SC2034  # used by the scripts that source this
EXAMPLES=(--package-path Examples --scratch-path .build --traits Macros,Postgres,Server)
# The commands and the benchmarks are optimised in a folder of their own, so that they can be built while tests run. Both packages share the
# modules in it. The package manager keeps one build plan in a folder, and may take that of the other package for its own unless the plan is
# made each time.
RELEASE=(--scratch-path .build-release --disable-build-manifest-caching -debug-info-format none)
# The tests that need TLS or async-http-client. The folder is their own: with other traits, each module of Alter in a shared one would be
# compiled again at every change between the packages. CI, which changes once, shares it, and compiles SwiftNIO, Hummingbird and GRDB once.
# shellcheck disable=SC2034  # used by the scripts that source this
NETWORK=(--package-path Tests/Network --scratch-path "${ALTER_NETWORK_SCRATCH:-.build-network}")
# The options of optimised programs. A statically linked program starts in less time, and runs where no Swift is installed. It exports no
# symbols, because the runtime searches them at each start. On Apple's systems the library is a part of the system.
# shellcheck disable=SC2034  # used by the scripts that source this
STATIC=()
[[ $(uname) != Linux ]] || STATIC=(--static-swift-stdlib -Xlinker --no-export-dynamic -Xlinker -s)

# Adds to an array the option that leaves 34 MB of data of ICU out of a program: for languages, calendars and formats of dates.
#
# The name of the data then stands for the program's first bytes, in which ICU finds no data. GRDB refers to Foundation's formatters, these to ICU,
# and the tables of conformances keep everything, so that the linker can't drop the data as unused. No command of `todo` uses it.
without_icu_data() {
  ((${#STATIC[@]})) || return 0
  local -n options=$1
  local name
  name=$(swiftc -print-target-info | sed -nE 's/.*"runtimeResourcePath" *: *"([^"]*)".*/\1/p')_static/linux/lib_FoundationICU.a
  if name=$(grep -aom1 'icudt[0-9]*_dat' "$name" 2>/dev/null); then options+=(-Xlinker "--defsym=$name=__ehdr_start"); fi
}

# Adds curl to the options of optimised programs, for those with devices of sync. Swift needs curl's shared library, too, so that it is
# installed, but possibly not by the name that the linker looks for.
link_curl() {
  ((${#STATIC[@]})) || return 0
  local curl
  curl=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p | awk '/libcurl\.so\.4 / && !path { path = $NF } END { print path }')
  [[ $curl ]] || fail "the library libcurl is missing (Debian's package libcurl4). Install it and run this again."
  mkdir -p .build-release/lib
  ln -sfn "$curl" .build-release/lib/libcurl.so
  STATIC+=(-Xlinker "-L$PWD/.build-release/lib")
}

# Swift Testing otherwise starts all tests at once: with more than a thousand, each takes minutes, and waits for other processes are exceeded
# on a slow machine. Versions before 6.3 ignore the variable.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-16}

# The package manager passes the traits to the compiler in the order of a hash table, which differs from run to run. Another order
# recompiles every module, so this makes the hashing deterministic. The variable is not exported, because tests must run with random seeds.
swift_build() { SWIFT_DETERMINISTIC_HASHING=1 swift build "$@"; }
swift_package() { SWIFT_DETERMINISTIC_HASHING=1 swift package "$@"; }

# Styles, on a terminal only.
bold='' green='' plain=''
# shellcheck disable=SC2034  # used by the scripts that source this
if [[ -t 1 ]]; then bold=$'\033[1m' green=$'\033[32m' plain=$'\033[0m'; fi

say() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }

fail() {
  printf '\nerror: %s\n' "$*" >&2
  exit 1
}

# Fails with a clear message unless Swift is installed and new enough (package traits need 6.1).
require_swift() {
  command -v swift >/dev/null || fail "Swift is not installed, or not in PATH. Get 6.1 or newer from https://www.swift.org/install and run this again."
  local version
  version=$(swift --version 2>/dev/null | sed -nE 's/.*Swift version ([0-9]+\.[0-9]+).*/\1/p' | head -n 1)
  [[ $version ]] || fail "'swift --version' does not tell a version. Check the installation (PATH has $(command -v swift))."
  ((${version%%.*} > 6 || (${version%%.*} == 6 && ${version#*.} >= 1))) ||
    fail "this is Swift $version, and Alter needs 6.1 or newer. Get it from https://www.swift.org/install and run this again."
}

# Whether the headers of PostgreSQL's client library are installed.
has_libpq() {
  [[ -e /usr/include/postgresql/libpq-fe.h || -e /usr/include/libpq-fe.h ]] || pkg-config --exists libpq 2>/dev/null
}

# Whether the programs of a PostgreSQL server are installed. Tests and benchmarks start their own server.
has_postgres_server() {
  compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || command -v initdb >/dev/null
}

# Installs missing system packages with apt, as root or with a sudo that needs no password. Otherwise fails with instructions.
require_system_packages() {
  [[ $(uname) == Linux ]] || return 0
  local missing=()
  [[ -e /usr/include/sqlite3.h ]] || pkg-config --exists sqlite3 2>/dev/null || missing+=(libsqlite3-dev)
  command -v sqlite3 >/dev/null || missing+=(sqlite3)
  command -v strace >/dev/null || missing+=(strace)
  command -v tmux >/dev/null || missing+=(tmux)
  command -v curl >/dev/null || missing+=(curl)
  has_libpq || missing+=(libpq-dev)
  ((${#missing[@]})) || return 0
  command -v apt-get >/dev/null ||
    fail "these are missing: ${missing[*]} (Debian's names). Install your system's packages of them and run this again."
  may_install || fail "these packages are missing: ${missing[*]}. Install them and run this again:
  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${missing[*]}"
  install_packages "${missing[@]}"
}

# The tests start their own PostgreSQL server. If its programs can't be installed without a password, the tests report that they are
# skipped.
want_postgres_server() {
  ! has_postgres_server || return 0
  if [[ $(uname) == Linux ]] && command -v apt-get >/dev/null && may_install; then
    install_packages postgresql
  elif [[ ${CI-} == true ]]; then
    fail "the tests need a PostgreSQL server's programs (initdb, pg_ctl): Debian's package 'postgresql'. Install it and run this again."
  fi
}

# The command `openssl` makes the certificates for the tests of TLS. If it can't be installed without a password, those tests report that they
# are skipped.
want_openssl() {
  ! command -v openssl >/dev/null || return 0
  if [[ $(uname) == Linux ]] && command -v apt-get >/dev/null && may_install; then
    install_packages openssl
  elif [[ ${CI-} == true ]]; then
    fail "the tests of TLS need the command openssl: Debian's package 'openssl'. Install it and run this again."
  fi
}

# Whether there is a browser that the tests of the pages can use.
has_browser() {
  [[ ${ALTER_BROWSER-} ]] || command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null ||
    command -v google-chrome-stable >/dev/null || [[ -e "/Applications/Google Chrome.app" || -e /Applications/Chromium.app ]]
}

# The pages are tested in a real browser. If it can't be installed without a password, those tests report that they are skipped.
want_browser() {
  ! has_browser || return 0
  if [[ $(uname) == Linux ]] && command -v apt-get >/dev/null && may_install; then
    install_packages chromium fonts-dejavu-core
  elif [[ ${CI-} == true ]]; then
    fail "the tests of the pages need Chromium: Debian's packages 'chromium' and 'fonts-dejavu-core'. Install them and run this again."
  fi
}

# Valgrind counts the instructions of the hot paths.
require_valgrind() {
  ! command -v valgrind >/dev/null || return 0
  command -v apt-get >/dev/null && may_install || fail "valgrind is missing. Install your system's package of it (Debian: 'valgrind') and run this again."
  install_packages valgrind
}

# Whether packages can be installed without interaction: as root, or with a sudo that needs no password.
may_install() {
  [[ $(id -u) == 0 ]] || { command -v sudo >/dev/null && sudo -n true 2>/dev/null; }
}

install_packages() {
  local as_root=()
  [[ $(id -u) == 0 ]] || as_root=(sudo -n)
  say "Installing $*"
  # An outdated package list finds nothing, but a broken source may not matter. The installation below decides.
  "${as_root[@]}" apt-get update -q || true
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" ||
    fail "apt-get could not install $*: see above."
}

# Runs a command with line-buffered output, also into a file. If a step hangs, the last lines then show which one.
line_by_line() {
  if command -v stdbuf >/dev/null; then stdbuf -oL "$@"; else "$@"; fi
}
