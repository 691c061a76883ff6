"""One run of one program: made, advanced, and what came out printed as JSON, with the processor time of the advance alone (s):
of several, each made anew, where one is short, for clocks of processor time may tick by milliseconds."""
import json
import sys
import time

END = 1.0  # s, of every motion
GRAVITY = 9.81  # m/s^2, downwards along z
LONG, MOST = 0.2, 50  # s that are enough, and advances


def steps_of(setting):
    """Whole steps of about that length: (s, number)"""
    steps = round(END / setting)
    return END / steps, steps


def run(programs):
    """PROGRAM METHOD SETTING and numbers of the system as arguments. `programs`: functions that take them and return two, one
    that advances and one that says what has come out."""
    program, method, *numbers = sys.argv[1:]
    seconds, count = 0.0, 0
    while seconds < LONG and count < MOST:
        advance, outcome = programs[program](method, *map(float, numbers))
        start = time.process_time()
        advance()
        seconds += time.process_time() - start
        count += 1
    print(json.dumps({'seconds': seconds / count} | outcome()))
