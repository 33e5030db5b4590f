print("aura")
