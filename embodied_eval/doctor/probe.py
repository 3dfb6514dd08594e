"""`python -m embodied_eval.doctor.probe NAME`: one probe in this process."""

import sys

from embodied_eval.doctor.run import probe_main

for line in probe_main(sys.argv[1]):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
