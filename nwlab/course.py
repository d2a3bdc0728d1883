"""What this course is: all that `workbook` asks of it."""
from workbook.course import Course

COURSE = Course(
    package="nwlab",
    title="Attention is a weighted average",
    about="Nadaraya-Watson kernel regression is attention pooling: a workbook",
    welcome="""You know what six houses were sold for. What is another one worth? You average the prices, and listen
most to similar houses: that is attention. Drag the pin.""",
    first="00_start_here",
    exercises=("warm_up", "parzen_equivalence", "unit_sphere", "sgd_bandwidth", "consistency_rate", "worth_of_w",
               "own_pooling", "one_head", "bug_museum", "online_softmax"),
    extras=("live", "torch"),
    later={"torch": "you need it from notebook 07 on"},
    needs_machine=("07_from_kernel_to_attention", "08_learning_the_similarity",
                   "09_in_context_regression", "11_a_real_head", "14_forum_court", "sgd_bandwidth",
                   "own_pooling", "one_head"),
    slow={"torch": ("torch", "torch.nn.functional", "array_api_compat.torch", "nwlab.attention", "nwlab.training"),
          "optim": ("torch._dynamo",), "pyplot": ("matplotlib.pyplot", "matplotlib.backends.backend_agg")},
)
