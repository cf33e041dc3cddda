def play(told):
    return 0
