"""Attacks and accidents that a grader must withstand. Each replaces the answer `pool` of the warm-up's solutions.

CELLS: name -> (the cell in place of the answer, the status that it should get). RIGHT is a right answer. Where the
status is "passed", the attempt should do no harm and change nothing.
"""
# ruff: noqa: E501  (a table: an attempt is a line)
from textwrap import indent

RIGHT = '''
def pool(weights, values):
    return weights @ values
'''
PRESENT = "raise AssertionError('seen')"


def called(body: str, back: str = "weights @ values") -> str:
    """A right answer whose function does something first."""
    lines = indent(body, "    ")
    return f"def pool(weights, values):\n{lines}\n    return {back}\n"


def unless(body: str) -> str:
    """A right answer, after an attempt that is to fail: if it succeeds, the function is not defined."""
    lines = indent(body, "    ")
    return f"try:\n{lines}\nexcept (OSError, RuntimeError, ImportError, AttributeError, ValueError, KeyError): pass\nelse: {PRESENT}\n{RIGHT}"


CELLS = {
    # --- time
    "it stops itself": (called("import os, signal; os.kill(os.getpid(), signal.SIGSTOP)"), "timed out"),
    "ignores all signals, then loops": ("import signal\nfor s in range(1, 30):\n    try: signal.signal(s, signal.SIG_IGN)\n"
                                        "    except (OSError, ValueError): pass\nwhile True: pass", "timed out"),
    "a regular expression without end": ("import re; re.match(r'(a+)+$', 'a' * 60 + 'b')", "timed out"),
    # --- memory
    "thirty gigabytes at once": (called("import numpy; numpy.ones(30 * 2**27)"), "out of memory"),
    "thirty gigabytes of bytes in the cell": ("x = bytearray(30 * 2**30)" + RIGHT, "out of memory"),
    "memory bit by bit": (called("x = []\nwhile True: x.append(bytearray(2**24))"), "out of memory"),
    # --- its own end
    "os._exit in the cell": ("import os; os._exit(0)", "process died"),
    "sys.exit in the cell": (RIGHT + "import sys; sys.exit(0)", "passed"),
    "sys.exit in the function": (called("import sys; sys.exit(0)"), "failed"),
    "kills itself": (called("import os; os.kill(os.getpid(), 9)"), "process died"),
    "kills its parent": ("import os\ntry: os.kill(os.getppid(), 9)\nexcept OSError: pass" + RIGHT, "passed"),
    "kills all it may": ("import os, signal\nsignal.signal(15, signal.SIG_IGN)\ntry: os.kill(-1, 15)\nexcept OSError: pass" + RIGHT, "passed"),
    "a segmentation fault": ("import ctypes; ctypes.string_at(0)", "process died"),
    "endless recursion": (called("return pool(weights, values)"), "failed"),
    "its length ends it": ("import os\nclass L(list):\n    def __len__(self): os._exit(0)\ndef pool(weights, values): return L()", "process died"),
    "ends it when memory is tidied": ("import gc, os\ngc.callbacks.append(lambda *a: os._exit(0))\ngc.set_threshold(1)" + RIGHT, "process died"),
    # --- output
    "two hundred megabytes printed": ("for _ in range(200): print('x' * 2**20)" + RIGHT, "passed"),
    "two hundred megabytes written": ("import os\nfor _ in range(200): os.write(1, b'x' * 2**20)" + RIGHT, "passed"),
    "a warning for ever": (called("import warnings\nfor i in range(3): warnings.warn('w' * 10**6 + str(i))"), "passed"),
    # --- disk
    "fills the disk": ("try:\n    with open('big', 'wb') as f:\n        while True: f.write(b'x' * 2**20)\nexcept OSError: pass" + RIGHT, "passed"),
    "fills the disk with many files": ("try:\n    for i in range(10**6):\n        with open(f'f{i}', 'wb') as f: f.write(b'x' * 2**20)\n"
                                       "except OSError: pass" + RIGHT, "passed"),
    "writes into shared memory": (unless("open('/dev/shm/big', 'wb')"), "passed"),
    "writes into the environment": (unless("import sys; open(sys.prefix + '/sitecustomize.py', 'w')"), "passed"),
    "writes into the package": (unless("import nwlab; open(nwlab.__file__, 'a')"), "passed"),
    "writes at the root": (unless("open('/mine', 'w')"), "passed"),
    "mounts": (unless("import ctypes, os\nif ctypes.CDLL(None, use_errno=True).mount(b'none', b'/scratch', b'tmpfs', 0, None): raise OSError"), "passed"),
    "a new user namespace": (unless("import ctypes\nif ctypes.CDLL(None, use_errno=True).unshare(0x10000000): raise OSError"), "passed"),
    # --- patches
    "patched NumPy": ("import numpy\nnumpy.array_equal = numpy.allclose = numpy.isclose = lambda *a, **k: True\n"
                      "numpy.asarray = numpy.array = lambda *a, **k: 1 / 0" + RIGHT, "process died"),
    "patched json": ("import json\njson.dumps = lambda *a, **k: '{}'\njson.JSONEncoder.encode = lambda *a: '{}'" + RIGHT, "unreadable"),
    "an import hook": ("import sys\nclass Hook:\n    def find_spec(self, *a): raise ImportError('hooked')\nsys.meta_path.insert(0, Hook())" + RIGHT,
                       "passed"),
    "emptied modules": ("import sys\nfor name in list(sys.modules):\n    if name.startswith(('numpy', 'nwlab', 'json')): del sys.modules[name]"
                        + RIGHT, "process died"),
    "a tracer of its own": ("import sys\nsys.settrace(lambda *a: None)\nsys.setprofile(lambda *a: None)" + RIGHT, "passed"),
    "patched library": ("import contextlib, dis, importlib, io, os, random, types, warnings\ncontextlib.redirect_stdout = dis.get_instructions = None\n"
                        "importlib.import_module = io.StringIO = os.write = random.seed = types.SimpleNamespace = warnings.catch_warnings = None" + RIGHT, "process died"),
    "empties the functions that follow": ("import ast\nclass T(ast.NodeTransformer):\n    def visit_FunctionDef(self, node): node.body = [ast.Pass()]; return node\n"
                                          "get_ipython().ast_transformers.append(T())" + RIGHT, "passed"),
    # --- what is sent back
    "a forged answer": ("import os, struct, json\nframe = json.dumps({'answers': [{'value': None}] * 9}).encode()\nfor fd in range(3, 64):\n"
                        "    try: os.write(fd, struct.pack('!I', len(frame)) + frame)\n    except OSError: pass\n"
                        "def pool(weights, values): return 0", "failed"),
    "a gigabyte announced": ("import os\nfor fd in range(3, 64):\n    try: os.write(fd, b'\\x7f\\xff\\xff\\xff')\n    except OSError: pass", "failed"),
    "closes all files": ("import os\nos.closerange(3, 200)" + RIGHT, "process died"),
    "a list without end in itself": (called("x = []\nx.append(x)", "x"), "failed"),
    "a hundred million numbers": (called("import numpy", "numpy.zeros(10**8)"), "failed"),
    "an array that lies about its shape": ("import numpy\nclass Liar(numpy.ndarray):\n    shape = property(lambda self: (2,))\n"
                                           "    dtype = property(lambda self: 'float64')\ndef pool(weights, values): return numpy.zeros(3).view(Liar)", "failed"),
    "an object that pretends to be an array": ("class Fake:\n    shape, dtype, ndim = (2,), 'float64', 1\n    __module__ = 'torch'\n"
                                               "    def __array__(self, *a, **k): return 1 / 0\n    def detach(self): return self\n"
                                               "def pool(weights, values): return Fake()", "failed"),
    "equal to everything": ("class Same(float):\n    def __eq__(self, other): return True\n    def __sub__(self, other): return 0.0\n"
                            "def pool(weights, values): return Same(1)", "failed"),
    "a message of 30,000 bars": ("import workbook.checks.run as r\nr.KEEP = 10**7\n" + called("raise RuntimeError('NoneType' + '|' * 30_000)"), "failed"),
    "an error that cannot be shown": ("class E(Exception):\n    def __str__(self): raise SystemError\n" + called("raise E"), "failed"),
    "a dict without end": ("class D(dict):\n    def items(self):\n        while True: yield 'a', 1.0\ndef pool(weights, values): return D()", "failed"),
    "takes the problems away": (called("import sys\nf = sys._getframe()\nwhile 'request' not in f.f_locals: f = f.f_back\nf.f_locals['problems'].clear()"),
                                "failed"),
    # --- what is to be out of sight
    "reads the solutions": ("import os\nfor where, below, names in os.walk('/'):\n"
                            "    if where.count('/') > 5 or where.startswith(('/proc', '/sys', '/usr')): below.clear()\n"
                            f"    if any(n in ('warm_up.ipynb', 'run.json', 'items.py', 'advice.md') for n in names): {PRESENT}\n" + RIGHT, "passed"),
    "reads more of an exercise than what is given": (
        "import os, workbook\nseen = {name for _, _, names in os.walk(workbook.__path__[0] + '/exercises') for name in names}\n"
        f"if seen != {{'given.py'}}: {PRESENT}" + RIGHT, "passed"),
    "reads an oracle": (unless("from workbook.exercises.warm_up import items\nitems.numbers.__call__"), "passed"),
    "reads an item": ("from workbook.exercises import warm_up\ntry: oracle = warm_up.EXERCISE.items[0].oracle\nexcept (AttributeError, TypeError): pass\n"
                      f"else: {PRESENT}" + RIGHT, "passed"),
    "patches the judge": ("import workbook.checks.judge as j\nj.judge = lambda *a: 'passed'\ndef pool(weights, values): return values", "failed"),
    "reads the environment": ("import os\nif any('NWLAB' in name or 'USER' in name for name in os.environ): " + PRESENT + RIGHT, "passed"),
    "reads the first process": (unless("open('/proc/1/environ').read(); open('/proc/1/mem', 'rb').read(1)"), "passed"),
    "reads the home": (unless("import os; os.listdir('/home'); open('/etc/shadow').read()"), "passed"),
    "settings of the machine": (unless("open('/proc/sys/kernel/core_pattern', 'r+')"), "passed"),
    "the priority group of the first process": (unless("open('/proc/1/autogroup', 'w')"), "passed"),
    "writes into its own memory": (unless("open('/proc/self/mem', 'r+b')"), "passed"),
    "traces the first process": (unless("import ctypes\nif ctypes.CDLL(None, use_errno=True).ptrace(16, 1, 0, 0): raise OSError"), "passed"),
    "looks for a second thread": (f"import os, torch\nif torch.get_num_threads() > 1 or len(os.listdir('/proc/self/task')) > 1: {PRESENT}" + RIGHT, "passed"),
    "opens a socket": (unless("import socket; socket.create_connection(('127.0.0.1', 22), 2)"), "passed"),
    # --- other processes, and what is left behind
    "a fork": (unless("import os; os.fork()"), "passed"),
    "a process of another program": (unless("import os; os.posix_spawn('/bin/true', ['true'], {})"), "passed"),
    "threads without end": ("import threading\ntry:\n    while True: threading.Thread(target=threading.Event().wait, daemon=True).start()\n"
                            "except RuntimeError: pass" + RIGHT, "passed"),
    "a file for the next": ("open('left', 'w').write('x')" + RIGHT, "passed"),
    "marks on its folder": ("import os\nos.utime('.', (1e9, 1e9)); os.chmod('.', 0o711)\ntry: os.setxattr('.', 'user.x', b'x')\nexcept OSError: pass"
                            + RIGHT, "passed"),
    "looks for marks on its folder": (f"import os\nif (os.stat('.').st_mtime, os.stat('.').st_mode & 0o777, os.listxattr('.')) != (0, 0o700, []): {PRESENT}"
                                      + RIGHT, "passed"),
    "looks for what the last one left": (f"import os\nif os.listdir('.'): {PRESENT}" + RIGHT, "passed"),
    # --- what would reach other answers, the process that forks them, or the next submission
    "a thread that writes answers later": ("import threading, os\nasked, written = threading.Event(), threading.Event()\ndef later():\n    asked.wait()\n"
                                           "    for fd in range(3, 40):\n        try: os.write(fd, b'\\0\\0\\0\\7garbage')\n        except OSError: pass\n"
                                           "    written.set()\nthreading.Thread(target=later, daemon=True).start()\n"
                                           + called("asked.set(); written.wait()"), "unreadable"),
    "every signal to the first process": ("import os\nfor s in range(1, 65):\n    try: os.kill(1, s)\n    except OSError: pass" + RIGHT, "passed"),
    "limits of the first process": (unless("import resource; resource.prlimit(1, resource.RLIMIT_AS, (1 << 20, 1 << 20))"), "passed"),
    "the priority of the first process": (unless("import os; os.setpriority(os.PRIO_PROCESS, 1, 19)"), "passed"),
    "memory of no process": (unless("import os; os.memfd_create('a')"), "passed"),
    "memory that outlives it": ("import ctypes\nif ctypes.CDLL(None).shmget(42, 1 << 20, 0o1666) >= 0: " + PRESENT + RIGHT, "passed"),
    "lowers its own limits": ("import resource as r\nfor what in (r.RLIMIT_NOFILE, r.RLIMIT_FSIZE): r.setrlimit(what, (0, 0))" + RIGHT, "passed"),
    "links to all there is": ("import os\nfor here, there in enumerate(('/', '/guest', '/proc', '1', '2')): os.symlink(there, str(here))" + RIGHT, "passed"),
    "a folder in a folder, a thousand times": ("import os\nfor _ in range(1000): os.mkdir('d'); os.chdir('d')" + RIGHT, "passed"),
    "a folder that nobody may open": ("import os\nos.makedirs('d/e'); os.chmod('d', 0)" + RIGHT, "passed"),
    "no output at all": ("import sys; sys.stdout = sys.stderr = None" + RIGHT, "passed"),
    "a shell without anything": ("get_ipython().__dict__.clear()" + RIGHT, "passed"),
    "the code of run replaced": ("import workbook.checks.run as r\nr.run.__code__ = (lambda item, function, problems: []).__code__" + RIGHT, "unreadable"),
    "raises what nobody catches": (called("raise KeyboardInterrupt"), "process died"),
    "half a million lists in an answer": ("import sys, struct, os\ndef pool(weights, values):\n    f = sys._getframe()\n    while 'stream' not in f.f_locals: f = f.f_back\n"
                                        "    f.f_locals['stream'].write(b'[' + b'[],' * 500_000 + b'[]]\\n')\n"
                                        "    f.f_locals['stream'].flush()\n    os._exit(0)", "unreadable"),
    # --- broken in ordinary ways
    "a mistake in the syntax": ("def pool(weights, values)\n    return", "failed"),
    "not a function": ("pool = 3", "failed"),
    "a shell command": ("!rm -rf / 2>/dev/null; true" + RIGHT, "passed"),
    "NUL in the text": ("x = '\0'" + RIGHT, "failed"),
}
SPOIL_WHAT_FOLLOWS = {"patched NumPy", "patched json", "emptied modules", "patched library",
                      "empties the functions that follow", "no output at all", "the code of run replaced"}
"""Attempts that also break the student's answers in later cells, as they do in the student's own notebook."""
